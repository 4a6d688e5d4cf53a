/** Blocks that wait: of some the loop in which the condition is looked at once more is around the block. */
public final class Again {
    private final Object lock = new Object();
    private int free;
    private int tries;

    void around() throws InterruptedException {
        while (true) {
            synchronized (lock) {
                if (free > 0) {
                    free--;
                    return;
                }
                lock.wait();
            }
        }
    }

    void aroundWithTime(long millis) throws InterruptedException {
        for (;;) {
            synchronized (lock) {
                if (free == 0) {
                    lock.wait(millis);
                    continue;
                }
                free--;
                return;
            }
        }
    }

    void within() throws InterruptedException {
        synchronized (lock) {
            while (free == 0) {
                lock.wait();
            }
            free--;
        }
    }

    void counting() throws InterruptedException {
        while (true) {
            synchronized (lock) {
                if (free > 0) {
                    free--;
                    return;
                }
                lock.wait();
                tries++;
            }
        }
    }

    void pausing() throws InterruptedException {
        while (true) {
            synchronized (lock) {
                if (free > 0) {
                    free--;
                    return;
                }
                lock.wait();
            }
            Thread.yield();
        }
    }

    void twice() throws InterruptedException {
        while (true) {
            synchronized (lock) {
                if (free > 0) {
                    free--;
                    return;
                }
                lock.wait();
            }
            synchronized (this) {
                tries++;
            }
        }
    }

    void once() throws InterruptedException {
        synchronized (lock) {
            lock.wait();
        }
    }

    synchronized void whole() throws InterruptedException {
        while (free == 0) {
            wait();
        }
    }

    void free() {
        synchronized (lock) {
            free++;
            lock.notify();
        }
    }
}
