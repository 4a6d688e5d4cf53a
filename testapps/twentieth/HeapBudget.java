// Jobs reserve some of 64 megabytes before they run; their reports are chained up for a printer without any bound.
// @lock HeapBudget$Budget
// @type SEMAPHORE permits=64
// @role acquire HeapBudget$Budget.reserve
// @role release HeapBudget$Budget.refund
// @lock java.lang.Object#append
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put HeapBudget$Chain.append
// @role take HeapBudget$Chain.next
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class HeapBudget {
    static class Budget {
        private final int all;
        private int used;

        Budget(int all) { this.all = all; }

        private boolean fits(int mb) { return used + mb <= all; }

        synchronized boolean reserve(int mb, long millis) throws InterruptedException {
            if (!fits(mb)) {
                long end = System.nanoTime() + millis * 1_000_000;
                do {
                    long left = end - System.nanoTime();
                    if (left <= 0) return false;
                    wait(left / 1_000_000 + 1);
                } while (!fits(mb));
            }
            used += mb;
            return true;
        }

        synchronized void refund(int mb) {
            used -= mb;
            notifyAll();
        }
    }

    static class Chain {
        private static class Link {
            final int mb;
            Link next;

            Link(int mb) { this.mb = mb; }
        }

        private final Object mutex = new Object();
        private Link first, last;

        void append(int mb) {
            Link link = new Link(mb);
            synchronized (mutex) {
                if (first == null) first = link;
                else last.next = link;
                last = link;
                mutex.notify();
            }
        }

        int next() throws InterruptedException {
            synchronized (mutex) {
                while (first == null) mutex.wait();
                Link link = first;
                first = link.next;
                return link.mb;
            }
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
        Budget budget = new Budget(64);
        Chain chain = new Chain();
        AtomicLong inUse = new AtomicLong(), reported = new AtomicLong(), printed = new AtomicLong();
        for (int i = 0; i < 6; i++)
            spawn("job-" + i, () -> {
                int mb = ThreadLocalRandom.current().nextInt(8, 33);
                if (!budget.reserve(mb, 200)) return;
                check(inUse.addAndGet(mb) <= 64, "over budget");
                nap(3, 9);
                reported.addAndGet(mb);
                chain.append(mb);
                inUse.addAndGet(-mb);
                budget.refund(mb);
                nap(0, 2);
            });
        for (int i = 0; i < 2; i++)
            spawn("printer-" + i, () -> {
                long now = printed.addAndGet(chain.next());
                check(now <= reported.get(), "printed what was not reported");
                nap(0, 1);
            });
        supervise(args);
    }
}
