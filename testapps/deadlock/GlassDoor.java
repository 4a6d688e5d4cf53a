// @finds unserved-waiter T4

/** As {@code NightPorter}: the guest looks at the board, but only before he comes to the bench. What is written down and called in between he misses. */
public final class GlassDoor {
    private static final class Board implements NightPorter.Lobby {
        private volatile boolean ready;

        @Override
        public void await() throws InterruptedException {
            if (!ready) {
                synchronized (this) {
                    wait();
                }
            }
        }

        @Override
        public void call() {
            ready = true;
            synchronized (this) {
                notifyAll();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        NightPorter.run(new Board());
    }
}
