// @lock Heartbeats$Pulse
// @type DELAY
// @role delay Heartbeats$Pulse.rest

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Members of a cluster that show every few milliseconds that they are alive, without drift; a supervisor looks on. */
public final class Heartbeats {
    /** A fixed-rate pulse: the next beat is due one period after the last was due, not after it was made. */
    static class Pulse {
        private final long periodNanos;
        private long due = System.nanoTime();

        Pulse(long periodMillis) {
            periodNanos = periodMillis * 1_000_000;
        }

        final void rest() throws InterruptedException {
            synchronized (this) {
                due += periodNanos;
                for (;;) {
                    long nanos = due - System.nanoTime();
                    if (nanos <= 0) {
                        return;
                    }
                    wait(nanos / 1_000_000 + 1);
                }
            }
        }
    }

    private static final int MEMBERS = 5;
    private static final AtomicLong beats = new AtomicLong();
    private static final AtomicInteger tooFast = new AtomicInteger();

    private static void member() {
        long period = ThreadLocalRandom.current().nextInt(4, 9);
        Pulse pulse = new Pulse(period);
        long start = System.nanoTime();
        try {
            for (long n = 1;; n++) {
                pulse.rest();
                if (System.nanoTime() - start < (n - 1) * period * 1_000_000) {
                    tooFast.incrementAndGet();
                }
                beats.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < MEMBERS; i++) {
            Thread t = new Thread(Heartbeats::member, "member-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (tooFast.get() > 0) {
            throw new IllegalStateException("a heart beat ahead of time");
        }
        System.out.println("DONE " + beats);
    }
}
