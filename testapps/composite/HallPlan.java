// @lock HallPlan$Access
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock HallPlan$Access$Readers.acquire
// @role read-unlock HallPlan$Access.readerLeaves
// @role write-lock HallPlan$Access$Writers.acquire
// @role write-unlock HallPlan$Access.writerLeaves

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The seating plan of a hall behind a read-write lock made of three monitors: one guards the counts, readers wait on
 * the second and writers on the third, so that each kind can be woken alone.
 */
public final class HallPlan {
    static final class Access {
        private int reading;
        private boolean writing;
        private int readersWaiting;
        private int writersWaiting;

        final Readers readers = new Readers();
        final Writers writers = new Writers();

        private synchronized boolean readerMayPass(boolean wasWaiting) {
            boolean pass = !writing && writersWaiting == 0;
            if (pass) {
                reading++;
                if (wasWaiting) {
                    readersWaiting--;
                }
            } else if (!wasWaiting) {
                readersWaiting++;
            }
            return pass;
        }

        private synchronized boolean writerMayPass(boolean wasWaiting) {
            boolean pass = !writing && reading == 0;
            if (pass) {
                writing = true;
                if (wasWaiting) {
                    writersWaiting--;
                }
            } else if (!wasWaiting) {
                writersWaiting++;
            }
            return pass;
        }

        /** Who is to be woken now that a reader has gone; null for nobody. */
        private synchronized Side readerLeaves() {
            return --reading == 0 && writersWaiting > 0 ? writers : null;
        }

        private synchronized Side writerLeaves() {
            writing = false;
            if (writersWaiting > 0) {
                return writers;
            }
            return readersWaiting > 0 ? readers : null;
        }

        abstract static class Side {
            abstract void acquire() throws InterruptedException;

            abstract void release();

            abstract void wake();
        }

        final class Readers extends Side {
            @Override
            void acquire() throws InterruptedException {
                synchronized (this) {
                    if (!readerMayPass(false)) {
                        do {
                            wait();
                        } while (!readerMayPass(true));
                    }
                }
            }

            @Override
            void release() {
                Side next = readerLeaves();
                if (next != null) {
                    next.wake();
                }
            }

            @Override
            synchronized void wake() {
                notifyAll();
            }
        }

        final class Writers extends Side {
            @Override
            void acquire() throws InterruptedException {
                synchronized (this) {
                    if (!writerMayPass(false)) {
                        do {
                            wait();
                        } while (!writerMayPass(true));
                    }
                }
            }

            @Override
            void release() {
                Side next = writerLeaves();
                if (next != null) {
                    next.wake();
                }
            }

            @Override
            synchronized void wake() {
                notify();
            }
        }
    }

    private final Access access = new Access();
    private final int[] rows = new int[20];
    private final AtomicLong looks = new AtomicLong();
    private volatile boolean failed;

    private void look() throws InterruptedException {
        access.readers.acquire();
        try {
            int sum = 0;
            for (int i = 0; i < rows.length; i++) {
                sum += rows[i];
                if (i == 9) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            }
            if (sum != 0) {
                failed = true;
            }
        } finally {
            access.readers.release();
        }
        looks.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
    }

    private void reseat() throws InterruptedException {
        access.writers.acquire();
        try {
            int from = ThreadLocalRandom.current().nextInt(20);
            rows[from]--;
            Thread.sleep(1);
            rows[19 - from]++;
        } finally {
            access.writers.release();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        HallPlan plan = new HallPlan();
        for (int i = 0; i < 6; i++) {
            boolean usher = i >= 4;
            Thread t = new Thread(() -> {
                try {
                    while (!plan.failed) {
                        if (usher) {
                            plan.reseat();
                        } else {
                            plan.look();
                        }
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, (usher ? "usher-" : "desk-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (plan.failed) {
            throw new IllegalStateException("the plan changed while it was read");
        }
        System.out.println("DONE " + plan.looks);
    }
}
