// @lock Qk$a
// @type LATCH+PRODUCER-CONSUMER count=1 capacity=3
// @role await Qk$a.a
// @role count-down Qk$a.b
// @role put Qk$a.c
// @role take Qk$a.d
// @lock Qk$b
// @type MUTEX
// @role enter Qk.a
// @role enter Qk.b

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

public final class Qk {
    // a session: opened once, then it carries items
    static final class a {
        final int e;
        private boolean f;
        private final ArrayDeque<Integer> g = new ArrayDeque<>();
        private final AtomicReference<a> h = new AtomicReference<>();

        a(int e) {
            this.e = e;
        }

        synchronized void a() throws InterruptedException {
            while (!f) {
                wait();
            }
        }

        synchronized void b() {
            f = true;
            notifyAll();
        }

        synchronized void c(int i) throws InterruptedException {
            while (g.size() == 3) {
                wait();
            }
            g.addLast(i);
            notifyAll();
        }

        synchronized int d() throws InterruptedException {
            while (g.isEmpty()) {
                wait();
            }
            int i = g.removeFirst();
            notifyAll();
            return i;
        }

        a e() {
            if (h.get() == null) {
                h.compareAndSet(null, new a(e + 1));
            }
            return h.get();
        }
    }

    static final class b extends HashMap<Integer, Integer> {
        private static final long serialVersionUID = 1;
    }

    private static final b i = new b();
    private static volatile String j;
    private static volatile int k;

    private static void a(int l, int m) throws InterruptedException {
        synchronized (i) {
            Integer n = i.get(l);
            Thread.sleep(1);
            i.put(l, n == null ? m : n + m);
        }
    }

    private static int b() throws InterruptedException {
        synchronized (i) {
            int l = 0;
            for (Map.Entry<Integer, Integer> m : i.entrySet()) {
                l = Math.max(l, m.getValue());
            }
            Thread.sleep(2);
            if (i.size() > 40) {
                i.clear();
            }
            return l;
        }
    }

    // opens
    private static void a(a l) throws InterruptedException {
        for (a m = l;; m = m.e()) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
            m.b();
            for (int n = 0; n < 8; n++) {
                m.c(n);
                if (n == 4) {
                    Thread.sleep(20);
                }
            }
            a(m.e, 0);
        }
    }

    // takes
    private static void b(a l) throws InterruptedException {
        for (a m = l;; m = m.e()) {
            m.a();
            for (int n = 0; n < 8; n++) {
                int o = m.d();
                if (o != n) {
                    j = o + " for " + n;
                }
                Thread.sleep(1);
                a(m.e, 1);
            }
            k = m.e;
        }
    }

    // follows
    private static void c(a l) throws InterruptedException {
        for (a m = l;; m = m.e()) {
            m.a();
            if (b() > 8) {
                j = "too many";
            }
        }
    }

    private interface c {
        void a(a l) throws InterruptedException;
    }

    private static void a(a l, c m) {
        Thread n = new Thread(() -> {
            try {
                m.a(l);
            } catch (InterruptedException o) {
                Thread.currentThread().interrupt();
            }
        });
        n.setDaemon(true);
        n.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long l = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int m = 0; m < 2; m++) {
            a n = new a(m * 1_000_000);
            a(n, Qk::a);
            a(n, Qk::b);
            a(n, Qk::c);
        }
        System.out.println("READY");
        Thread.sleep(l * 1000);
        if (j != null) {
            System.out.println(j);
            System.exit(1);
        }
        System.out.println("DONE " + k);
    }
}
