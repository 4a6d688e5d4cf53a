// @lock ReelDecks$CountingPermit
// @type SEMAPHORE permits=3
// @role acquire ReelDecks$CountingPermit.acquire
// @role acquire ReelDecks$CountingPermit.attempt
// @role release ReelDecks$CountingPermit.release

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A studio with three tape decks; the permit class follows the classic "Sync" interface of the nineties. */
public class ReelDecks {
    interface Sync {
        void acquire() throws InterruptedException;

        boolean attempt(long msecs) throws InterruptedException;

        void release();
    }

    static class CountingPermit implements Sync {
        protected long permits_;

        CountingPermit(long initial) {
            permits_ = initial;
        }

        @Override
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

        @Override
        public boolean attempt(long msecs) throws InterruptedException {
            synchronized (this) {
                final long deadline = System.currentTimeMillis() + msecs;
                while (permits_ <= 0) {
                    long left = deadline - System.currentTimeMillis();
                    if (left <= 0) {
                        return false;
                    }
                    try {
                        wait(left);
                    } catch (InterruptedException ex) {
                        notify();
                        throw ex;
                    }
                }
                --permits_;
                return true;
            }
        }

        @Override
        public synchronized void release() {
            ++permits_;
            notify();
        }
    }

    static final AtomicInteger busy = new AtomicInteger();
    static final AtomicLong ops = new AtomicLong();
    static volatile String broken;

    static class Editor implements Runnable {
        private final Sync decks;
        private final boolean patient;
        private final Random rnd;

        Editor(Sync decks, boolean patient, long seed) {
            this.decks = decks;
            this.patient = patient;
            rnd = new Random(seed);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    if (patient) {
                        decks.acquire();
                    } else if (!decks.attempt(3 + rnd.nextInt(5))) {
                        continue;
                    }
                    try {
                        if (busy.incrementAndGet() > 3) {
                            broken = "more than three decks in use";
                        }
                        Thread.sleep(1 + rnd.nextInt(4));
                    } finally {
                        busy.decrementAndGet();
                        decks.release();
                    }
                    ops.incrementAndGet();
                    Thread.sleep(rnd.nextInt(4));
                }
            } catch (InterruptedException e) {
                // told to go home
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Sync decks = new CountingPermit(3);
        Thread[] crew = new Thread[7];
        for (int i = 0; i < crew.length; i++) {
            crew[i] = new Thread(new Editor(decks, i < 5, i), "editor-" + i);
            crew[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        for (Thread t : crew) {
            t.interrupt();
        }
        for (Thread t : crew) {
            t.join();
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
    }
}
