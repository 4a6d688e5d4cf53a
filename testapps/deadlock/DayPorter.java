// @finds nothing

/** As {@code NightPorter}, but the porter writes down that the room is ready, and the guest reads it before he sits down. */
public final class DayPorter {
    private static final class Desk implements NightPorter.Lobby {
        private boolean ready;

        @Override
        public synchronized void await() throws InterruptedException {
            while (!ready) {
                wait();
            }
        }

        @Override
        public synchronized void call() {
            ready = true;
            notifyAll();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        NightPorter.run(new Desk());
    }
}
