// @lock SpoolTurn$SimpleLock
// @type LOCK reentrant=false
// @role lock SpoolTurn$SimpleLock.acquire
// @role lock SpoolTurn$SimpleLock.attempt
// @role unlock SpoolTurn$SimpleLock.release

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The small lock class of the utility libraries before Java 5: a flag, a wait without and one with a limit, passed on when interrupted. */
public final class SpoolTurn {
    interface Sync {
        void acquire() throws InterruptedException;

        boolean attempt(long msecs) throws InterruptedException;

        void release();
    }

    static final class SimpleLock implements Sync {
        private boolean inUse = false;

        @Override
        public void acquire() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            synchronized (this) {
                try {
                    while (inUse) {
                        wait();
                    }
                    inUse = true;
                } catch (InterruptedException ex) {
                    notify();
                    throw ex;
                }
            }
        }

        @Override
        public boolean attempt(long msecs) throws InterruptedException {
            synchronized (this) {
                if (!inUse) {
                    inUse = true;
                    return true;
                }
                long waitTime = msecs;
                long start = System.currentTimeMillis();
                try {
                    for (;;) {
                        wait(waitTime);
                        if (!inUse) {
                            inUse = true;
                            return true;
                        }
                        waitTime = msecs - (System.currentTimeMillis() - start);
                        if (waitTime <= 0) {
                            return false;
                        }
                    }
                } catch (InterruptedException ex) {
                    notify();
                    throw ex;
                }
            }
        }

        @Override
        public synchronized void release() {
            inUse = false;
            notify();
        }
    }

    private final Sync turn = new SimpleLock();
    private long spooled;
    private long mirror;
    private final AtomicLong counted = new AtomicLong();
    private volatile boolean off;

    private void spool(boolean hasty) throws InterruptedException {
        if (hasty) {
            if (!turn.attempt(30)) {
                return;
            }
        } else {
            turn.acquire();
        }
        try {
            long before = ++spooled;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            mirror++;
            if (before != spooled || mirror != spooled) {
                throw new IllegalStateException("two at the spool");
            }
        } finally {
            turn.release();
        }
        counted.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        SpoolTurn s = new SpoolTurn();
        Thread[] threads = new Thread[5];
        for (int i = 0; i < threads.length; i++) {
            boolean hasty = i >= 3;
            threads[i] = new Thread(() -> {
                try {
                    while (!s.off) {
                        s.spool(hasty);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "spool-" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        s.off = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        s.turn.acquire();
        if (s.spooled != s.counted.get()) {
            throw new IllegalStateException(s.spooled + " spooled, " + s.counted + " counted");
        }
        System.out.println("DONE " + s.counted);
    }
}
