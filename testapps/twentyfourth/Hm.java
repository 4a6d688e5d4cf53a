// Two lenses for five microscopes, first come, first served: who waits does so on a node of his own.
// @lock Hm$b
// @type SEMAPHORE permits=2
// @role acquire Hm$b.c
// @role release Hm$b.d

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Hm {
    static volatile String xa;
    static final AtomicLong xb = new AtomicLong();

    interface ia {
        void af() throws InterruptedException;
    }

    static void aa(String name, ia step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.af();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                xa = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void ab(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int ae(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void ac(boolean ok, String what) {
        if (!ok) {
            xa = "BROKEN " + what;
        }
    }

    static void ad(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (xa == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (xa != null) {
            System.out.println(xa);
            System.exit(1);
        }
        System.out.println("DONE " + xb.get());
        System.exit(0);
    }

    static final class a {
        private boolean k;

        synchronized void e() throws InterruptedException {
            while (!k) {
                wait();
            }
        }

        synchronized void f() {
            k = true;
            notify();
        }
    }

    static final class b {
        private int n;
        private final LinkedList<a> q = new LinkedList<>();

        b(int n) {
            this.n = n;
        }

        void c() throws InterruptedException {
            a x;
            synchronized (this) {
                if (n > 0) {
                    n--;
                    return;
                }
                x = new a();
                q.addLast(x);
            }
            x.e();
        }

        void d() {
            a x;
            synchronized (this) {
                if (q.isEmpty()) {
                    n++;
                    return;
                }
                x = q.removeFirst();
            }
            x.f();
        }
    }

    final b l = new b(2);
    final AtomicInteger m = new AtomicInteger();
    final AtomicInteger[] o = new AtomicInteger[5];

    Hm() {
        for (int i = 0; i < o.length; i++) {
            o[i] = new AtomicInteger();
        }
    }

    void g(int i) throws InterruptedException {
        ab(3);
        l.c();
        try {
            ac(m.incrementAndGet() <= 2, "lenses");
            ab(5);
            m.decrementAndGet();
        } finally {
            l.d();
        }
        o[i].incrementAndGet();
        xb.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Hm h = new Hm();
        for (int i = 0; i < 5; i++) {
            int n = i;
            aa("m" + i, () -> h.g(n));
        }
        ad(args);
    }
}
