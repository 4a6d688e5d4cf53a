// @lock OldSema$CountingSemaphore
// @type SEMAPHORE permits=2
// @role acquire OldSema$CountingSemaphore.acquire
// @role acquire OldSema$CountingSemaphore.attempt
// @role release OldSema$CountingSemaphore.release

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A utility library from before Java 5: one interface for everything that is acquired and released; here two tape drives. */
public class OldSema {
    interface Sync {
        void acquire() throws InterruptedException;

        boolean attempt(long msecs) throws InterruptedException;

        void release();
    }

    static class CountingSemaphore implements Sync {
        protected long permits_;

        CountingSemaphore(long initialPermits) {
            permits_ = initialPermits;
        }

        public void acquire() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            synchronized (this) {
                try {
                    while (permits_ <= 0) {
                        wait();
                    }
                    --permits_;
                } catch (InterruptedException ex) {
                    notify();
                    throw ex;
                }
            }
        }

        public boolean attempt(long msecs) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            synchronized (this) {
                if (permits_ > 0) {
                    --permits_;
                    return true;
                } else if (msecs <= 0) {
                    return false;
                } else {
                    try {
                        long startTime = System.currentTimeMillis();
                        long waitTime = msecs;
                        for (;;) {
                            wait(waitTime);
                            if (permits_ > 0) {
                                --permits_;
                                return true;
                            }
                            waitTime = msecs - (System.currentTimeMillis() - startTime);
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
        }

        public synchronized void release() {
            ++permits_;
            notify();
        }
    }

    static final AtomicInteger running = new AtomicInteger();
    static final AtomicLong tapes = new AtomicLong();
    static final AtomicLong gaveUp = new AtomicLong();
    static volatile boolean failed;

    static class Backup extends Thread {
        private final Sync drives;
        private final Random random;
        private final boolean hasty;

        Backup(Sync drives, int id) {
            this.drives = drives;
            this.random = new Random(id);
            this.hasty = id % 3 == 0;
            setDaemon(true);
        }

        public void run() {
            while (!failed) {
                try {
                    if (hasty) {
                        if (!drives.attempt(4)) {
                            gaveUp.incrementAndGet();
                            continue;
                        }
                    } else {
                        drives.acquire();
                    }
                    try {
                        if (running.incrementAndGet() > 2) {
                            failed = true;
                        }
                        sleep(1 + random.nextInt(3));
                        tapes.incrementAndGet();
                    } finally {
                        running.decrementAndGet();
                        drives.release();
                    }
                    sleep(random.nextInt(3));
                } catch (InterruptedException e) {
                    gaveUp.incrementAndGet();
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Sync drives = new CountingSemaphore(2);
        Backup[] backups = new Backup[6];
        for (int i = 0; i < backups.length; i++) {
            backups[i] = new Backup(drives, i);
            backups[i].start();
        }
        System.out.println("READY");
        for (int n = 0; System.currentTimeMillis() < end; n++) {
            Thread.sleep(25);
            backups[n % backups.length].interrupt();
        }
        if (failed) {
            throw new IllegalStateException("three backups on two drives");
        }
        System.out.println("DONE " + tapes);
    }
}
