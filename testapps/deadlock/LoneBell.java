// @finds nothing

/** As {@code OneBell}, with one cook and one waiter: never do both wait. */
public final class LoneBell {
    private static final class Hatch {
        private Object dish;

        synchronized void put(Object it) throws InterruptedException {
            while (dish != null) {
                wait();
            }
            dish = it;
            notify();
        }

        synchronized Object take() throws InterruptedException {
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

    private static final Hatch hatch = new Hatch();
    private static volatile int turn = -1;
    private static int served;

    private static Thread start(int mine, String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                while (turn != mine) {
                    Thread.yield();
                }
                for (int n = 0; n < 2; n++) {
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
    private static void serve(int mine, Thread thread) throws InterruptedException {
        turn = mine;
        for (int n = 0; n < 2; n++) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.yield();
            }
            if (mine < 1) {
                hatch.put("dish");
            } else {
                hatch.take();
            }
            served++;
        }
        thread.join();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] all = new Thread[2];
        for (int n = 0; n < 1; n++) {
            all[n] = start(n, "waiter", hatch::take);
            all[n + 1] = start(n + 1, "cook", () -> hatch.put("dish"));
        }
        for (int n = 0; n < all.length; n++) {
            if (n == 1) {
                hatch.put("dish");
            }
            serve(n, all[n]);
        }
        hatch.take();
        System.out.println("DONE " + served);
    }
}
