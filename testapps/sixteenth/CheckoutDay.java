// @lock OrderBook
// @type PRODUCER-CONSUMER+CONDITION capacity=10
// @role put OrderBook.submit
// @role take OrderBook.next
// @role wait OrderBook.awaitQuiet
// @role notify OrderBook.finished
// @lock SalesFigures
// @type MUTEX
// @role enter SalesFigures.sold
// @role enter SalesFigures.report

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class Order {
    final long id;
    final int items;
    long tookAt;
    Order(long id, int items) { this.id = id; this.items = items; }
}

/** The orders of a web shop between checkout and packing. The stock taker waits for a moment without any. */
class OrderBook {
    private final LinkedList<Order> pending = new LinkedList<>();
    private final Set<Long> inWork = new HashSet<>();
    private boolean shutdown;
    private int peak;
    private long accepted;

    boolean submit(Order o) throws InterruptedException {
        if (o.items <= 0) return false;
        synchronized (this) {
            accepted++;
            while (!shutdown && pending.size() == 10) this.wait();
            if (shutdown) return false;
            pending.addLast(o);
            if (pending.size() > peak) peak = pending.size();
            this.notifyAll();
            return true;
        }
    }

    synchronized Order next() throws InterruptedException {
        Order o = null;
        while (o == null) {
            if (shutdown && pending.isEmpty()) return null;
            o = pending.poll();
            if (o == null) wait();
        }
        o.tookAt = System.currentTimeMillis();
        inWork.add(o.id);
        notifyAll();
        return o;
    }

    synchronized void finished(Order o) {
        if (!inWork.remove(o.id)) throw new IllegalStateException("order " + o.id + " is not in work");
        if (inWork.isEmpty() && pending.isEmpty()) notifyAll();
    }

    /** Nothing pending and nothing in work, at this moment at least. */
    synchronized boolean awaitQuiet(long ms) throws InterruptedException {
        long end = System.nanoTime() + ms * 1_000_000;
        for (;;) {
            if (pending.isEmpty() && inWork.isEmpty()) return true;
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) return false;
            wait(left);
        }
    }

    synchronized int backlog() { return pending.size(); }

    synchronized void shutdown() { shutdown = true; notifyAll(); }
}

class SalesFigures {
    private final Map<Integer, Integer> bySize = new TreeMap<>();
    private long total, checksum;

    synchronized void sold(Order o) throws InterruptedException {
        bySize.merge(o.items, 1, Integer::sum);
        total += o.items;
        Thread.sleep(1); // one line into the daily file
        checksum += o.items;
    }

    synchronized String report() {
        if (total != checksum) return null;
        StringBuilder b = new StringBuilder();
        for (Map.Entry<Integer, Integer> e : bySize.entrySet()) b.append(e.getKey()).append('x').append(e.getValue()).append(' ');
        return b.toString();
    }
}

public class CheckoutDay {
    static volatile String bad;
    static final AtomicLong ops = new AtomicLong();

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok && bad == null) bad = what; }

    static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { body.run(); ops.incrementAndGet(); }
            } catch (Throwable e) {
                check(false, name + " died: " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
    public static void main(String[] v) throws Exception {
        OrderBook book = new OrderBook();
        SalesFigures figures = new SalesFigures();
        AtomicLong ids = new AtomicLong(), packed = new AtomicLong();
        for (int i = 0; i < 2; i++)
            spawn("checkout-" + i, () -> {
                for (int k = 0; k < 12; k++) book.submit(new Order(ids.incrementAndGet(), ThreadLocalRandom.current().nextInt(1, 6)));
                pause(35, 60);
            });
        for (int i = 0; i < 3; i++)
            spawn("packer-" + i, () -> {
                Order o = book.next();
                if (o == null) return;
                try {
                    figures.sold(o);
                } finally {
                    packed.incrementAndGet();
                    book.finished(o);
                }
            });
        for (int i = 0; i < 2; i++)
            spawn("stock-taker-" + i, () -> {
                if (book.awaitQuiet(1000)) check(figures.report() != null, "figures torn");
                check(book.backlog() <= 10, "too many orders");
                check(packed.get() <= ids.get(), "packed what was not ordered");
                pause(5, 10);
            });
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && bad == null) Thread.sleep(40);
        check(ops.get() > 0, "no progress");
        if (bad != null) {
            System.out.println("FAILED " + bad);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
