// Scanners offer sheets to a lane of eight, sorters poll it, both with a time limit; a meter fills up tokens for the scanners.
// @lock ScanLane$Lane
// @type PRODUCER-CONSUMER capacity=8
// @role put ScanLane$Lane.offer
// @role take ScanLane$Lane.poll
// @lock ScanLane$Meter
// @type SEMAPHORE form=rate-limiter
// @role acquire ScanLane$Meter.draw
// @role release ScanLane$Meter.tick
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class ScanLane {
    static class Sheet {
        final int scanner;
        final long number;

        Sheet(int scanner, long number) {
            this.scanner = scanner;
            this.number = number;
        }
    }

    static class Lane {
        private final Sheet[] ring = new Sheet[8];
        private int in, out;

        synchronized boolean offer(Sheet s, long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (ring[in] != null) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) return false;
                wait(left);
            }
            ring[in] = s;
            in = in + 1 == ring.length ? 0 : in + 1;
            notifyAll();
            return true;
        }

        synchronized Sheet poll(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (ring[out] == null) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) return null;
                wait(left);
            }
            Sheet s = ring[out];
            ring[out] = null;
            out = out + 1 == ring.length ? 0 : out + 1;
            notifyAll();
            return s;
        }
    }

    static class Meter {
        private final int burst;
        private double tokens;

        Meter(int burst) { this.burst = burst; }

        synchronized void draw() throws InterruptedException {
            while (tokens < 1) wait();
            tokens -= 1;
        }

        synchronized void tick(double more) {
            tokens = Math.min(burst, tokens + more);
            if (tokens >= 1) notifyAll();
        }
    }

    static final AtomicLong OPS = new AtomicLong();
    static volatile String bad;

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok) bad = what; }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    body.run();
                    OPS.incrementAndGet();
                }
            } catch (Exception | Error e) {
                e.printStackTrace();
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    /** Watches over the run: failures, and standstill for twenty seconds. */
    static void supervise(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(100);
            long now = OPS.get();
            still = now == seen ? still + 1 : 0;
            seen = now;
            check(still < 200, "standstill");
        }
        System.out.println(bad == null ? "DONE " + OPS.get() : "FAILED " + bad);
        System.out.flush();
        System.exit(bad == null ? 0 : 1);
    }
    public static void main(String[] args) throws Exception {
        Lane lane = new Lane();
        Meter meter = new Meter(12);
        AtomicLong offered = new AtomicLong(), polled = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            int scanner = i;
            long[] n = { 0 };
            spawn("scanner-" + i, () -> {
                meter.draw();
                offered.incrementAndGet();
                if (!lane.offer(new Sheet(scanner, n[0]++), 60)) offered.decrementAndGet();
            });
        }
        long[][] last = new long[2][3];
        for (long[] l : last) Arrays.fill(l, -1);
        for (int i = 0; i < 2; i++) {
            long[] seen = last[i];
            spawn("sorter-" + i, () -> {
                Sheet s = lane.poll(30);
                if (s == null) return;
                check(s.number > seen[s.scanner], "sheets out of order");
                seen[s.scanner] = s.number;
                check(polled.incrementAndGet() <= offered.get(), "a sheet from nowhere");
                nap(3, 7);
            });
        }
        double[] more = { 0 };
        spawn("meter", () -> {
            nap(4, 6);
            more[0] = (more[0] + 0.09) % 4;     // now too slow for the scanners, now too fast for the sorters
            meter.tick(more[0]);
        });
        supervise(args);
    }
}
