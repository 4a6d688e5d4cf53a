// @lock java.lang.Object#c
// @type LOCK reentrant=false
// @role lock Rb$a.c
// @role lock Rb$a.d
// @role unlock Rb$a.e
//
// @lock Rb$f
// @type LATCH count=3
// @role count-down Rb$f.a
// @role await Rb$f.b

import java.util.Arrays;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A device used by one driver at a time, and rounds of three probes that must all have reported. Obfuscated. */
public class Rb {
    static volatile String u;
    static final AtomicLong v = new AtomicLong();

    interface S {
        void run() throws InterruptedException;
    }

    static void y(boolean a, String b) {
        if (!a && u == null) {
            u = b;
        }
    }

    static void z(int a, int b) throws InterruptedException {
        Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1));
    }

    static void x(String a, S s) {
        Thread t = new Thread(() -> {
            try {
                while (u == null) {
                    s.run();
                    v.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                y(false, a + ": " + e);
            }
        }, a);
        t.setDaemon(true);
        t.start();
    }

    static void w(String[] a) throws InterruptedException {
        System.out.println("READY");
        long b = System.nanoTime() + (a.length > 0 ? Long.parseLong(a[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < b && u == null) {
            Thread.sleep(40);
        }
        y(v.get() > 0, "nothing was done");
        if (u != null) {
            System.out.println("BROKEN " + u);
            System.exit(1);
        }
        System.out.println("DONE " + v.get());
        System.exit(0);
    }
    enum b { A, B }

    static final class a {
        private final Object a = new Object();
        private b b = Rb.b.A;

        void c() throws InterruptedException {
            synchronized (a) {
                while (b != Rb.b.A) {
                    a.wait();
                }
                b = Rb.b.B;
            }
        }

        boolean d(long c) throws InterruptedException {
            long d = System.nanoTime() + c * 1_000_000;
            synchronized (a) {
                while (b == Rb.b.B) {
                    long e = (d - System.nanoTime()) / 1_000_000;
                    if (e <= 0) {
                        return false;
                    }
                    a.wait(e);
                }
                b = Rb.b.B;
                return true;
            }
        }

        void e() {
            synchronized (a) {
                b = Rb.b.A;
                a.notifyAll();
            }
        }
    }

    static final class f {
        private final Set<Integer> a = new HashSet<>(Arrays.asList(0, 1, 2));

        synchronized void a(int b) {
            a.remove(b);
            if (a.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void b() throws InterruptedException {
            while (!a.isEmpty()) {
                wait();
            }
        }
    }

    static final class g {
        final f a = new f();
        final long[] b = new long[3];
    }

    static int h;
    static int i;

    public static void main(String[] a) throws InterruptedException {
        a b = new a();
        for (int c = 0; c < 5; c++) {
            boolean d = c < 3;
            x("d" + c, () -> {
                if (d) {
                    b.c();
                } else if (!b.d(12)) {
                    return;
                }
                h++;
                z(1, 3);
                i++;
                y(h == i, "b");
                b.e();
                z(1, 6);
            });
        }
        @SuppressWarnings({"unchecked", "rawtypes"})
        Queue<g>[] c = new Queue[3];
        for (int d = 0; d < 3; d++) {
            Queue<g> e = c[d] = new ConcurrentLinkedQueue<>();
            int f = d;
            x("e" + d, () -> {
                g g = e.poll();
                z(1, 5);
                if (g != null) {
                    g.b[f] = 7;
                    g.a.a(f);
                }
            });
        }
        for (int d = 0; d < 2; d++) {
            x("f" + d, () -> {
                g e = new g();
                for (Queue<g> f : c) {
                    f.add(e);
                }
                e.a.b();
                y(e.b[0] + e.b[1] + e.b[2] == 21, "c");
                z(1, 3);
            });
        }
        w(a);
    }
}
