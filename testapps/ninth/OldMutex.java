// @lock OldMutex$Mutex
// @type LOCK reentrant=false
// @role lock OldMutex$Mutex.acquire
// @role lock OldMutex$Mutex.attempt
// @role unlock OldMutex$Mutex.release

import java.util.Random;

/** A plotter shared through the mutex of a pre-Java-5 library: a flag, a polite way out on interrupts, and a try with a time. */
public class OldMutex {
    static class Mutex {
        protected boolean inuse_ = false;

        public void acquire() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            synchronized (this) {
                try {
                    while (inuse_) {
                        wait();
                    }
                    inuse_ = true;
                } catch (InterruptedException ex) {
                    notify();
                    throw ex;
                }
            }
        }

        public synchronized void release() {
            inuse_ = false;
            notify();
        }

        public boolean attempt(long msecs) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            synchronized (this) {
                if (!inuse_) {
                    inuse_ = true;
                    return true;
                } else if (msecs <= 0) {
                    return false;
                }
                long start = System.currentTimeMillis();
                try {
                    for (long left = msecs; left > 0; left = msecs - (System.currentTimeMillis() - start)) {
                        wait(left);
                        if (!inuse_) {
                            inuse_ = true;
                            return true;
                        }
                    }
                    return false;
                } catch (InterruptedException ex) {
                    notify();
                    throw ex;
                }
            }
        }
    }

    static class Plotter {
        private final Mutex mutex = new Mutex();
        private int x;
        private int y;
        private long lines;

        /** Draws to a new place; the pen has to be where it was left when the line is done. */
        void line(int toX, int toY, long patience) throws InterruptedException {
            if (patience < 0) {
                mutex.acquire();
            } else if (!mutex.attempt(patience)) {
                return;
            }
            try {
                x = toX;
                Thread.sleep(1);
                y = toY;
                if (x != toX) {
                    throw new IllegalStateException("the pen was moved by somebody else");
                }
                lines++;
            } finally {
                mutex.release();
            }
        }

        long lines() throws InterruptedException {
            mutex.acquire();
            try {
                return lines;
            } finally {
                mutex.release();
            }
        }
    }

    static volatile String failed;

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Plotter plotter = new Plotter();
        for (int i = 0; i < 6; i++) {
            final Random random = new Random(i);
            final long patience = i % 3 == 2 ? 3 : -1;
            Thread t = new Thread("drawing " + i) {
                public void run() {
                    try {
                        while (failed == null) {
                            plotter.line(random.nextInt(), random.nextInt(), patience);
                            sleep(1 + random.nextInt(3));
                        }
                    } catch (InterruptedException e) {
                        failed = "interrupted by nobody";
                    } catch (IllegalStateException e) {
                        failed = e.getMessage();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        long lines = plotter.lines();
        if (failed != null) {
            System.err.println(failed);
            System.exit(1);
        }
        System.out.println("DONE " + lines);
    }
}
