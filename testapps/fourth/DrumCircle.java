// @lock DrumCircle$EventCount
// @type CONDITION
// @role wait DrumCircle$EventCount.await
// @role notify DrumCircle$EventCount.advance

import java.util.concurrent.atomic.AtomicLong;

/** A drum circle on an event count: one drummer advances the beat, the others strike on every second, third or fourth of them. */
public class DrumCircle {
    static class EventCount {
        private long beats;

        synchronized long read() {
            return beats;
        }

        synchronized void advance() {
            beats++;
            notifyAll();
        }

        synchronized long await(long beat) throws InterruptedException {
            while (beats < beat) {
                wait();
            }
            return beats;
        }
    }

    static abstract class Drummer extends Thread {
        protected final EventCount count;

        Drummer(EventCount count, String name) {
            super(name);
            this.count = count;
            setDaemon(true);
        }

        @Override
        public final void run() {
            try {
                while (true) {
                    strike();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        abstract void strike() throws InterruptedException;
    }

    static class Leader extends Drummer {
        Leader(EventCount count) {
            super(count, "leader");
        }

        @Override
        void strike() throws InterruptedException {
            sleep(4);
            count.advance();
        }
    }

    static class Follower extends Drummer {
        private final int every;
        private long next;

        Follower(EventCount count, int every) {
            super(count, "every-" + every);
            this.every = every;
        }

        @Override
        void strike() throws InterruptedException {
            next += every;
            if (count.await(next) < next) {
                early.incrementAndGet();
            }
            struck.incrementAndGet();
            sleep(2);
        }
    }

    static final AtomicLong struck = new AtomicLong();
    static final AtomicLong early = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        EventCount count = new EventCount();
        new Leader(count).start();
        for (int every = 1; every <= 5; every++) {
            new Follower(count, every).start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (early.get() > 0 || count.read() == 0) {
            throw new IllegalStateException(early + " strikes too early");
        }
        System.out.println("DONE " + struck);
    }
}
