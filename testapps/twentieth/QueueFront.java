// A marching column. What its author called a queue is where five sections close up; what he called a latch guards the map.
// @lock QueueFront$WorkQueue
// @type BARRIER parties=5
// @role arrive QueueFront$WorkQueue.take
// @lock QueueFront$Latch
// @type MUTEX
// @role enter QueueFront$Latch.await
// @role enter QueueFront$Latch.countDown
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class QueueFront {
    static abstract class Meeting {
        protected int here;

        protected abstract int everybody();

        /** True for the one who completes the circle. */
        protected final boolean sign(int who) {
            int bit = 1 << who;
            if ((here & bit) != 0) bad = who + " came twice";
            here |= bit;
            return here == everybody();
        }
    }

    static class WorkQueue extends Meeting {
        private boolean phase;
        private final int size;

        WorkQueue(int size) { this.size = size; }

        @Override
        protected int everybody() { return (1 << size) - 1; }

        synchronized boolean take(int who) throws InterruptedException {
            boolean mine = phase;
            boolean last = sign(who);
            if (last) {
                here = 0;
                phase = !phase;
                notifyAll();
            }
            while (phase == mine) wait();
            return last;
        }
    }

    static class Latch {
        private int x, y;
        private final BitSet visited = new BitSet();

        synchronized void countDown(int dx, int dy) throws InterruptedException {
            x += dx;
            Thread.sleep(1);
            y += dy;
            visited.set(Math.abs(x * 31 + y) % 1000);
        }

        synchronized int await() throws InterruptedException {
            Thread.sleep(1);
            return x + y;
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
        WorkQueue queue = new WorkQueue(5);
        Latch map = new Latch();
        AtomicLong leads = new AtomicLong();
        for (int i = 0; i < 5; i++) {
            int section = i;
            int[] steps = { 0 };
            spawn("section-" + i, () -> {
                nap(1, 5);
                int d = ThreadLocalRandom.current().nextInt(-3, 4);
                map.countDown(d, -d);
                check(map.await() == 0, "the map is torn");
                steps[0]++;
                if (queue.take(section)) leads.incrementAndGet();
                long l = leads.get();
                check(l >= steps[0] - 1 && l <= steps[0] + 1, "out of step");
            });
        }
        supervise(args);
    }
}
