/** Threads that take turns: a hand-over by wait and notify, and a quiet lock that never blocks. */
public final class Turns {
    private static final class Baton {
        private int turn;

        synchronized void pass(int from, int to) throws InterruptedException {
            while (turn != from) {
                wait();
            }
            turn = to;
            notifyAll();
        }
    }

    private static final class Quiet {
        private final Object lock = new Object();
        private int value;

        int next() {
            synchronized (lock) {
                return ++value;
            }
        }
    }

    private static final Baton BATON = new Baton();

    private static void step(Quiet quiet, int from, int to) throws InterruptedException {
        BATON.pass(from, to);
        quiet.next();
        Thread.sleep(1);
    }

    private static void run(int from, int to) {
        Quiet quiet = new Quiet();
        try {
            while (true) {
                step(quiet, from, to);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            int from = i;
            Thread thread = new Thread(() -> run(from, (from + 1) % 3), "turn-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        Thread.sleep(600_000);
    }
}
