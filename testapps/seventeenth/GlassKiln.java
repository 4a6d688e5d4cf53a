// @lock GlassKiln$GloryHole
// @type LOCK reentrant=false
// @role lock GlassKiln$Claim.claim
// @role unlock GlassKiln$Claim.waive
//
// @lock GlassKiln$Blower
// @type DELAY
// @role delay GlassKiln$Blower.cool
//
// @lock GlassKiln$Shift
// @type CONDITION
// @role wait GlassKiln$Shift.awaitHour
// @role notify GlassKiln$Shift.strike
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A glass works: one reheating chamber for four blowers, each of whom lets the piece cool in between; a bell at every hour. */
public class GlassKiln {
    abstract static class Claim {
        protected abstract boolean free();

        protected abstract void set(String holder);

        protected abstract String holder();

        final void claim(String who) throws InterruptedException {
            synchronized (this) {
                while (!free()) {
                    wait();
                }
                set(who);
            }
        }

        final void waive(String who) {
            synchronized (this) {
                if (!who.equals(holder())) {
                    throw new IllegalStateException(who + " waives for " + holder());
                }
                set(null);
                notify();
            }
        }
    }

    static final class Slate {
        String chalk;
    }

    static final class GloryHole extends Claim {
        private final Slate slate = new Slate();
        private int heats;

        @Override
        protected boolean free() {
            return slate.chalk == null;
        }

        @Override
        protected void set(String holder) {
            slate.chalk = holder;
        }

        @Override
        protected String holder() {
            return slate.chalk;
        }

        /** Only for the holder. */
        void heat() throws InterruptedException {
            int h = ++heats;
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
            if (h != heats) {
                cracked = "two in the glory hole";
            }
        }
    }

    static final class Shift {
        private int hour;

        synchronized int awaitHour(int after) throws InterruptedException {
            while (hour <= after) {
                wait();
            }
            return hour;
        }

        synchronized void strike() {
            hour++;
            notifyAll();
        }
    }

    static final class Blower extends Thread {
        private final GloryHole hole;

        Blower(String name, GloryHole hole) {
            super(name);
            this.hole = hole;
            setDaemon(true);
        }

        /** At least so long, even if woken. */
        private void cool(long millis) throws InterruptedException {
            final long from = System.nanoTime();
            synchronized (this) {
                long left = millis;
                while (left > 0) {
                    wait(left);
                    left = millis - (System.nanoTime() - from) / 1_000_000L;
                }
            }
            if (System.nanoTime() - from < (millis - 1) * 1_000_000L) {
                cracked = getName() + " hurried";
            }
        }

        @Override
        public void run() {
            try {
                while (cracked == null) {
                    hole.claim(getName());
                    try {
                        hole.heat();
                    } finally {
                        hole.waive(getName());
                    }
                    PIECES.incrementAndGet();
                    cool(ThreadLocalRandom.current().nextInt(3, 9));
                }
            } catch (InterruptedException e) {
                cracked = getName() + " interrupted";
            }
        }
    }

    static final AtomicLong PIECES = new AtomicLong();
    static volatile String cracked;

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        GloryHole hole = new GloryHole();
        for (String name : "Ada Bo Cyr Dot".split(" ")) {
            new Blower(name, hole).start();
        }
        Shift shift = new Shift();
        Thread clerk = new Thread(() -> {
            int last = 0;
            try {
                while (true) {
                    int now = shift.awaitHour(last);
                    if (now != last + 1) {
                        cracked = "an hour skipped";
                    }
                    last = now;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "clerk");
        clerk.start();
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        for (int tick = 1; cracked == null && System.nanoTime() < end; tick++) {
            Thread.sleep(100);
            if (tick % 8 == 0) {
                shift.strike();
            }
        }
        clerk.interrupt();
        clerk.join();
        if (cracked != null) {
            System.out.println(cracked);
            System.exit(1);
        }
        System.out.println("DONE " + PIECES);
    }
}
