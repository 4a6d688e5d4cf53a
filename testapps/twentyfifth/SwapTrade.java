// A swap desk: a maker and a taker exchange deal for payment, then both sign the deal, which clerk and maker wait for.
// @lock SwapTrade$Counter
// @type BARRIER parties=2 form=exchanger
// @role arrive SwapTrade$Counter.swap
//
// @lock SwapTrade$Deal
// @type LATCH count=2
// @role count-down SwapTrade$Deal.sign
// @role await SwapTrade$Deal.signed
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class SwapTrade {
    static final AtomicLong settled = new AtomicLong();

    static class Paper {
        final long no;
        Paper(long no) { this.no = no; }
    }

    static final class Payment extends Paper {
        Payment(long no) { super(no); }
    }

    static final class Deal extends Paper {
        private int open = 2;
        volatile boolean byMaker, byTaker;
        Deal(long no) { super(no); }

        void sign() {
            synchronized (this) {
                if (open > 0 && --open == 0) this.notifyAll();
            }
        }

        void signed() throws InterruptedException {
            synchronized (this) {
                while (open > 0) this.wait();
            }
            if (!byMaker || !byTaker) fail("deal signed by one side only");
        }
    }

    /** Two come, each goes with what the other brought. */
    static final class Counter {
        private Paper lying, back;
        private boolean taken;

        synchronized Paper swap(Paper p) throws InterruptedException {
            while (taken) wait();               // the pair before us is still leaving
            if (lying == null) {
                lying = p;
                while (!taken) wait();
                Paper r = back;
                lying = back = null;
                taken = false;
                notifyAll();
                return r;
            }
            Paper r = lying;
            back = p;
            taken = true;
            notifyAll();
            return r;
        }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    static void maker(Counter c, ConcurrentLinkedQueue<Deal> book) {
        try {
            for (long n = 1; ; n++) {
                Deal d = new Deal(n);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                Paper p = c.swap(d);
                if (!(p instanceof Payment) || p.no != n) fail("wrong payment");
                book.add(d);
                d.byMaker = true;
                d.sign();
                d.signed();
                settled.incrementAndGet();
            }
        } catch (InterruptedException e) { fail("maker interrupted"); }
    }

    static void taker(Counter c) {
        try {
            for (long n = 1; ; n++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                Paper p = c.swap(new Payment(n));
                if (!(p instanceof Deal) || p.no != n) fail("wrong deal");
                Deal d = (Deal) p;
                Thread.sleep(3);
                d.byTaker = true;
                d.sign();
            }
        } catch (InterruptedException e) { fail("taker interrupted"); }
    }

    static void clerk(ConcurrentLinkedQueue<Deal> book) {
        try {
            for (;;) {
                Deal d = book.poll();
                if (d == null) { Thread.sleep(1); continue; }
                d.signed();
            }
        } catch (InterruptedException e) { fail("clerk interrupted"); }
    }

    static void go(String n, Runnable r) {
        Thread t = new Thread(r, n);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            Counter c = new Counter();
            ConcurrentLinkedQueue<Deal> book = new ConcurrentLinkedQueue<>();
            go("maker-" + i, () -> maker(c, book));
            go("taker-" + i, () -> taker(c));
            go("clerk-" + i, () -> clerk(book));
        }
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + settled.get());
    }
}
