import java.io.IOException;

/**
 * Notifies that find somebody waiting, with books of its own, and as many that find nobody. Begins with the first line of
 * its input, prints its books, ends with the last.
 */
public final class NotifyCounts {
    private static final int WAITERS = 3;
    private static final Object LOCK = new Object();
    private static final Object NOBODYS = new Object();
    private static int waiting;
    private static long wokenUp;

    private static void waiter() {
        try {
            synchronized (LOCK) {
                while (true) {
                    waiting++;
                    LOCK.wait();
                    waiting--;
                    wokenUp++;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Notifies when all wait; how often they will have woken up then. */
    private static long wake(boolean all) {
        while (true) {
            synchronized (LOCK) {
                if (waiting == WAITERS) {
                    if (all) {
                        LOCK.notifyAll();
                        return wokenUp + WAITERS;
                    }
                    LOCK.notify();
                    return wokenUp + 1;
                }
            }
            Thread.yield();
        }
    }

    private static void await(long awaited) {
        while (true) {
            synchronized (LOCK) {
                if (wokenUp >= awaited) {
                    return;
                }
            }
            Thread.yield();
        }
    }

    public static void main(String[] args) throws IOException {
        int rounds = Integer.parseInt(args[0]);
        for (int i = 0; i < WAITERS; i++) {
            Thread thread = new Thread(NotifyCounts::waiter, "waiter-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.in.read();
        int alls = 0;
        for (int round = 0; round < rounds; round++) {
            boolean all = round % 3 == 0;
            alls += all ? 1 : 0;
            await(wake(all));
            synchronized (NOBODYS) {
                NOBODYS.notify();
                NOBODYS.notifyAll();
            }
        }
        System.out.println("BOOKS " + (rounds - alls) + " " + alls);
        while (System.in.read() >= 0) {
        }
    }
}
