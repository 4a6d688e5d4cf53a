// @finds unserved-waiter T4

/** Cooks and waiters share a hatch for one dish and one bell. Here at most one of them ever waits; where several do, the bell may call one who cannot go on, and nobody else. */
public final class OneBell {
    interface Hatch {
        void put(Object it) throws InterruptedException;

        Object take() throws InterruptedException;
    }

    static final class Bell implements Hatch {
        private Object dish;

        @Override
        public synchronized void put(Object it) throws InterruptedException {
            while (dish != null) {
                wait();
            }
            dish = it;
            notify();
        }

        @Override
        public synchronized Object take() throws InterruptedException {
            while (dish == null) {
                wait();
            }
            Object it = dish;
            dish = null;
            notify();
            return it;
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static volatile int turn = -1;

    private static Thread start(int mine, String name, int times, Work work) {
        Thread thread = new Thread(() -> {
            try {
                while (turn != mine) {
                    Thread.yield();
                }
                for (int n = 0; n < times; n++) {
                    work.run();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, name + "-" + mine);
        thread.start();
        return thread;
    }

    /** Lets one have its turn, and serves it each time it waits. */
    private static void serve(int mine, Thread thread, int times, Work work) throws InterruptedException {
        turn = mine;
        for (int n = 0; n < times; n++) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.yield();
            }
            work.run();
        }
        thread.join();
    }

    /** So many waiters, and as many cooks, have two turns among them; all are there from the beginning, or each comes when the one before has gone home. */
    static void run(Hatch hatch, int people, boolean together) throws InterruptedException {
        int times = 2 / people;
        Work puts = () -> hatch.put("dish");
        Work takes = hatch::take;
        Thread[] all = new Thread[2 * people];
        for (int n = 0; together && n < all.length; n++) {
            all[n] = n < people ? start(n, "waiter", times, takes) : start(n, "cook", times, puts);
        }
        for (int n = 0; n < all.length; n++) {
            boolean waits = n < people;
            if (n == people) {
                hatch.put("dish");
            }
            if (!together) {
                all[n] = waits ? start(n, "waiter", times, takes) : start(n, "cook", times, puts);
            }
            serve(n, all[n], times, waits ? puts : takes);
        }
        hatch.take();
        System.out.println("DONE");
    }

    public static void main(String[] args) throws InterruptedException {
        run(new Bell(), 2, true);
    }
}
