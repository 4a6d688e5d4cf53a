// @finds nothing

/** As {@code OneBell}, with a bell that calls all. */
public final class AllBells {
    private static final class Bells implements OneBell.Hatch {
        private Object dish;

        @Override
        public synchronized void put(Object it) throws InterruptedException {
            while (dish != null) {
                wait();
            }
            dish = it;
            notifyAll();
        }

        @Override
        public synchronized Object take() throws InterruptedException {
            while (dish == null) {
                wait();
            }
            Object it = dish;
            dish = null;
            notifyAll();
            return it;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        OneBell.run(new Bells(), 2, true);
    }
}
