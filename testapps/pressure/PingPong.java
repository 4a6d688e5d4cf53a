/**
 * Two threads that want one lock all the time, and others that never meet it: one of the two always waits for the other,
 * so that the lock takes half of their running time, and the n-th part of that of n threads.
 *
 * <p>Arguments: seconds, and the number of other threads. These sleep or compute (a third argument, {@code spin}): both are
 * running, as nothing keeps them from going on. Prints READY when all have begun.
 */
public final class PingPong {
    private final Object table = new Object();

    private PingPong() {
    }

    /** Whoever has the lock works for a millisecond; that it sleeps makes no difference to who waits for it. */
    private void play() throws InterruptedException {
        while (true) {
            synchronized (table) {
                Thread.sleep(1);
            }
        }
    }

    private static void elsewhere(boolean spin) throws InterruptedException {
        long sum = 0;
        while (sum != 1) {
            if (spin) {
                sum += 2;
            } else {
                Thread.sleep(20);
            }
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        int others = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        boolean spin = args.length > 2;
        PingPong game = new PingPong();
        start("ping", game::play);
        start("pong", game::play);
        for (int i = 0; i < others; i++) {
            start("other-" + i, () -> elsewhere(spin));
        }
        System.out.println("READY");
        System.out.flush();
        // Waiting, and not asleep: this thread is no part of the game.
        Object end = new Object();
        synchronized (end) {
            end.wait(seconds * 1000L);
        }
        System.out.println("DONE");
    }
}
