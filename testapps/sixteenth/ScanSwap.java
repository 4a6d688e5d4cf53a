// @lock ab
// @type BARRIER parties=2 form=exchanger
// @role arrive ab.a
// @lock ac
// @type JOIN
// @role join ac.b

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class ab {
    private List<Integer> a, b;
    private boolean c;      // the first one is there
    private boolean d;      // the second one has answered
    private int e, f;
    private String g;

    synchronized List<Integer> a(List<Integer> h, String i) throws InterruptedException {
        while (d) wait();
        if (!c) {
            c = true;
            a = h;
            g = i;
            while (!d) wait();
            List<Integer> j = b;
            a = b = null;
            c = d = false;
            e++;
            notifyAll();
            return j;
        }
        if (i.equals(g)) throw new IllegalStateException(i);
        b = h;
        d = true;
        f += h.size();
        notifyAll();
        return a;
    }
}

class ac implements Runnable {
    private final List<Integer> a;
    private int b = -1;
    private boolean c;
    private Throwable d;

    ac(List<Integer> e) { a = e; }

    @Override public void run() {
        int e = 0;
        Throwable f = null;
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            for (int g : a) e += g;
        } catch (InterruptedException | RuntimeException g) {
            f = g;
        } finally {
            a(e, f);
        }
    }

    private void a(int e, Throwable f) {
        synchronized (this) {
            b = e;
            d = f;
            c = true;
            notifyAll();
        }
    }

    synchronized int b(int e) throws InterruptedException {
        long f = System.currentTimeMillis() + e;
        while (!c) {
            long g = f - System.currentTimeMillis();
            if (g <= 0) throw new IllegalStateException("late");
            wait(g);
        }
        if (d != null) throw new IllegalStateException(d);
        return b;
    }
}

public class ScanSwap {
    static volatile String z;
    static final AtomicLong y = new AtomicLong();

    interface Q { void run() throws Exception; }

    static void x(boolean p5, String p4) { if (!p5 && z == null) z = p4; }

    static void w(int p2, int p3) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(p2, p3 + 1));
    }

    static void v(String p0, Q p1) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { p1.run(); y.incrementAndGet(); }
            } catch (Throwable e) {
                x(false, p0 + " died: " + e);
            }
        }, p0);
        t.setDaemon(true);
        t.start();
    }
    public static void main(String[] v) throws Exception {
        for (int j = 0; j < 2; j++) {
            ab m = new ab();
            List<List<Integer>> p = new ArrayList<>(), q = new ArrayList<>();
            p.add(new ArrayList<>());
            q.add(new ArrayList<>());
            int[] c = {0, 0};
            v("f" + j, () -> {
                List<Integer> l = p.remove(0);
                x(l.isEmpty(), "not emptied");
                for (int i = 0; i < 5; i++) l.add(c[0]++);
                w(2, 9);
                p.add(m.a(l, "f"));
            });
            v("g" + j, () -> {
                List<Integer> l = m.a(q.remove(0), "g");
                int s = 0;
                for (int i : l) {
                    x(i == c[1]++, "order");
                    s += i;
                }
                ac a = new ac(new ArrayList<>(l)), b = new ac(Arrays.asList(s, 1));
                new Thread(a).start();
                new Thread(b).start();
                x(a.b(10_000) == s, "sum");
                x(b.b(10_000) == s + 1, "sum of sum");
                l.clear();
                q.add(l);
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && z == null) Thread.sleep(40);
        x(y.get() > 0, "no progress");
        if (z != null) {
            System.out.println("FAILED " + z);
            System.exit(1);
        }
        System.out.println("DONE " + y.get());
        System.exit(0);
    }
}
