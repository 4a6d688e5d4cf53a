// @lock Cd$a
// @type SEMAPHORE permits=2
// @role acquire Cd$a.a
// @role release Cd$a.b
//
// @lock Cd$d
// @type CONDITION
// @role wait Cd$d.a
// @role notify Cd$d.b

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two x-ray tubes given out first come first served, a slip for everyone who waits; a clinic day in phases. */
public class Cd {
    static final class b {
        boolean a;

        synchronized void a() {
            a = true;
            notify();
        }
    }

    static final class a {
        private int a = 2;
        private final ArrayDeque<b> b = new ArrayDeque<>();

        void a() throws InterruptedException {
            final b n;
            synchronized (this) {
                if (a > 0) {
                    a--;
                    return;
                }
                n = new b();
                b.addLast(n);
            }
            synchronized (n) {
                while (!n.a) {
                    n.wait();
                }
            }
        }

        void b() {
            synchronized (this) {
                b n = b.pollFirst();
                if (n == null) {
                    a++;
                } else {
                    n.a();
                }
            }
        }
    }

    enum c {
        A, B, C;

        c a() {
            return values()[(ordinal() + 1) % 3];
        }
    }

    static final class d {
        private c a = c.A;
        private int b;

        int a(c x, int y) throws InterruptedException {
            synchronized (this) {
                while (a != x || b == y) {
                    wait();
                }
                return b;
            }
        }

        void b() {
            synchronized (this) {
                a = a.a();
                b++;
                notifyAll();
            }
        }
    }

    static final AtomicInteger e = new AtomicInteger();
    static final AtomicLong f = new AtomicLong();
    static volatile String g;

    static final class h implements Runnable {
        final int a;
        final a b;
        final d c;

        h(int a, a b, d c) {
            this.a = a;
            this.b = b;
            this.c = c;
        }

        public void run() {
            try {
                switch (a) {
                    case 0:
                        while (g == null) {
                            Thread.sleep(7);
                            c.b();
                        }
                        break;
                    case 1:
                    case 2:
                    case 3:
                        int y = -1;
                        while (g == null) {
                            int k = c.a(Cd.c.values()[a - 1], y);
                            if (k % 3 != a - 1) {
                                g = "phase";
                            }
                            y = k;
                            f.incrementAndGet();
                        }
                        break;
                    default:
                        while (g == null) {
                            b.a();
                            if (e.incrementAndGet() > 2) {
                                g = "three of two";
                            }
                            Thread.sleep(3 + a % 4);
                            e.decrementAndGet();
                            b.b();
                            f.incrementAndGet();
                            Thread.sleep(2);
                        }
                }
            } catch (InterruptedException x) {
                g = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a p = new a();
        d q = new d();
        for (int i = 0; i < 9; i++) {
            Thread t = new Thread(new h(i, p, q));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long x = System.currentTimeMillis() + 1000L * n;
        do {
            Thread.sleep(15);
        } while (g == null && System.currentTimeMillis() < x);
        System.out.println(g == null ? "DONE " + f : g);
        System.exit(g == null ? 0 : 1);
    }
}
