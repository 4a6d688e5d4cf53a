// A register of persons, asked by many and corrected by two; asking again while asking is allowed. Corrections are
// confirmed on a slip that is made for each.
// @lock java.util.HashMap#c
// @type READ-WRITE preference=readers
// @role read-lock Nu$a.c
// @role read-unlock Nu$a.d
// @role write-lock Nu$a.e
// @role write-unlock Nu$a.f
// @lock Nu$g
// @type LATCH count=1
// @role count-down Nu$g.a
// @role await Nu$g.b

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Nu {
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
        private final Map<Thread, Integer> m = new HashMap<>();
        private Thread w;

        void c() throws InterruptedException {
            synchronized (m) {
                while (w != null) {
                    m.wait();
                }
                m.merge(Thread.currentThread(), 1, Integer::sum);
            }
        }

        void d() {
            synchronized (m) {
                Thread t = Thread.currentThread();
                int n = m.get(t);
                if (n > 1) {
                    m.put(t, n - 1);
                } else {
                    m.remove(t);
                    if (m.isEmpty()) {
                        m.notifyAll();
                    }
                }
            }
        }

        void e() throws InterruptedException {
            synchronized (m) {
                while (w != null || !m.isEmpty()) {
                    m.wait();
                }
                w = Thread.currentThread();
            }
        }

        void f() {
            synchronized (m) {
                if (w != Thread.currentThread()) {
                    throw new IllegalStateException("f");
                }
                w = null;
                m.notifyAll();
            }
        }
    }

    static final class g {
        final int v;
        private Thread h;

        g(int v) {
            this.v = v;
        }

        synchronized void a() {
            if (h == null) {
                h = Thread.currentThread();
                notifyAll();
            }
        }

        synchronized Thread b() throws InterruptedException {
            while (h == null) {
                wait();
            }
            return h;
        }
    }

    final a i = new a();
    final ConcurrentLinkedQueue<g> j = new ConcurrentLinkedQueue<>();
    int k;
    int l;

    int o() throws InterruptedException {
        i.c();
        try {
            return k;
        } finally {
            i.d();
        }
    }

    void p() throws InterruptedException {
        i.c();
        try {
            int x = l;
            ab(4);
            ac(o() == x, "half");
        } finally {
            i.d();
        }
        xb.incrementAndGet();
        ab(13);
    }

    void q() throws InterruptedException {
        ab(5);
        g x = j.poll();
        if (x == null) {
            return;
        }
        i.e();
        try {
            k = x.v;
            ab(4);
            l = x.v;
        } finally {
            i.f();
        }
        x.a();
    }

    void r() throws InterruptedException {
        ab(4);
        g x = new g(ae(1000));
        j.add(x);
        ac(x.b() != Thread.currentThread(), "self");
    }

    public static void main(String[] args) throws InterruptedException {
        Nu n = new Nu();
        for (int i = 0; i < 3; i++) {
            aa("p" + i, n::p);
            aa("r" + i, n::r);
        }
        aa("q0", n::q);
        aa("q1", n::q);
        ad(args);
    }
}
