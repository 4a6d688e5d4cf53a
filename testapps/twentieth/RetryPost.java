// Couriers take parcels from a lane of five places and try to deliver them; who fails backs off, longer each time.
// @lock java.lang.Object#pause
// @type DELAY
// @role delay RetryPost$Backoff.pause
// @lock RetryPost$Lane
// @type PRODUCER-CONSUMER capacity=5
// @role put RetryPost$Lane.put
// @role take RetryPost$Lane.take
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class RetryPost {
    static class Backoff {
        private static final Object NEVER = new Object();
        private int step = 2;

        void pause() throws InterruptedException {
            long deadline = System.nanoTime() + step * 1_000_000L;
            step = Math.min(16, step * 2);
            synchronized (NEVER) {
                while (true) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) break;
                    NEVER.wait(left / 1_000_000, (int) (left % 1_000_000));
                }
            }
        }
    }

    static class Lane {
        private final long[] places = new long[5];
        private int head, tail;     // both run on for ever, modulo twice the length

        private int used() { return (tail - head + 10) % 10; }

        synchronized void put(long id) throws InterruptedException {
            while (used() == places.length) wait();
            places[tail % 5] = id;
            tail = (tail + 1) % 10;
            notifyAll();
        }

        synchronized long take() throws InterruptedException {
            while (used() == 0) wait();
            long id = places[head % 5];
            head = (head + 1) % 10;
            notifyAll();
            return id;
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
        AtomicLong sent = new AtomicLong(), delivered = new AtomicLong(), xor = new AtomicLong();
        for (int i = 0; i < 2; i++)
            spawn("desk-" + i, () -> {
                int burst = ThreadLocalRandom.current().nextInt(1, 12);
                while (burst-- > 0) {
                    long id = sent.incrementAndGet();
                    xor.addAndGet(id);
                    lane.put(id);
                }
                nap(5, 25);
            });
        for (int i = 0; i < 3; i++)
            spawn("courier-" + i, () -> {
                long id = lane.take();
                Backoff backoff = new Backoff();
                while (ThreadLocalRandom.current().nextInt(3) == 0) backoff.pause();
                xor.addAndGet(-id);
                delivered.incrementAndGet();
                check(sent.get() - delivered.get() <= 5 + 2 + 3, "too much under way");
            });
        supervise(args);
    }
}
