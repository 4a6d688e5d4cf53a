// A price list read and rewritten in order of arrival; who has to wait does so on a node of his own. Each thread
// keeps notes behind a lock that nobody else uses. (obfuscated)
// @lock Gx$b
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Gx$b.a
// @role read-unlock Gx$b.b
// @role write-lock Gx$b.c
// @role write-unlock Gx$b.d
//
// @lock Gx$c
// @type NOT-SHARED
// @quiet
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Gx {
    static final AtomicLong a = new AtomicLong();
    static final int[] b = new int[10];

    static final class a {
        final boolean a;
        private boolean b;

        a(boolean a) {
            this.a = a;
        }

        synchronized void a() throws InterruptedException {
            while (!b) wait();
        }

        synchronized void b() {
            b = true;
            notify();
        }
    }

    static final class b {
        private final ArrayDeque<a> a = new ArrayDeque<>();
        private int b;

        void a() throws InterruptedException {
            a c;
            synchronized (this) {
                if (b >= 0 && a.isEmpty()) {
                    b++;
                    return;
                }
                c = new a(false);
                a.add(c);
            }
            c.a();
        }

        void b() {
            synchronized (this) {
                b--;
                e();
            }
        }

        void c() throws InterruptedException {
            a c;
            synchronized (this) {
                if (b == 0 && a.isEmpty()) {
                    b = -1;
                    return;
                }
                c = new a(true);
                a.add(c);
            }
            c.a();
        }

        void d() {
            synchronized (this) {
                b = 0;
                e();
            }
        }

        private void e() {
            a c;
            while ((c = a.peek()) != null) {
                if (c.a ? b != 0 : b < 0) return;
                b = c.a ? -1 : b + 1;
                a.remove();
                c.b();
            }
        }
    }

    static final class c {
        private int a;
        private long b;

        synchronized void a(int c) {
            a++;
            b += c;
        }

        synchronized long b() {
            return a == 0 ? 0 : b / a;
        }
    }

    static void a(String a) {
        System.out.println("BROKEN " + a);
        System.exit(1);
    }

    static void a(b c, boolean d) {
        c e = new c();
        try {
            for (;;) {
                if (d) {
                    c.c();
                    try {
                        int f = b[0] + 1;
                        for (int g = 0; g < b.length; g++) {
                            b[g] = f;
                            if (g == 4) Thread.sleep(2);
                        }
                    } finally {
                        c.d();
                    }
                } else {
                    c.a();
                    try {
                        int f = b[0];
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                        for (int g : b) if (g != f) a("r");
                        e.a(f);
                    } finally {
                        c.b();
                    }
                    if (e.b() < 0) a("n");
                }
                a.incrementAndGet();
                Thread.sleep(d ? 8 : 3);
            }
        } catch (InterruptedException f) {
            a("i");
        }
    }

    public static void main(String[] c) throws Exception {
        b d = new b();
        for (int e = 0; e < 6; e++) {
            boolean f = e > 3;
            Thread g = new Thread(() -> a(d, f));
            g.setDaemon(true);
            g.start();
        }
        System.out.println("READY");
        Thread.sleep((c.length > 0 ? Integer.parseInt(c[0]) : 600) * 1000L);
        System.out.println("DONE " + a.get());
    }
}
