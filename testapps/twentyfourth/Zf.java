// A time-table asked and changed strictly in order of arrival; one way out. And static numbers for the changes.
// @lock Zf$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Zf$a.b
// @role write-lock Zf$a.c
// @role read-unlock Zf$a.d
// @role write-unlock Zf$a.d
// @lock java.lang.Class#e
// @type MUTEX
// @role enter Zf$f.e
// @role enter Zf$f.g

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Zf {
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
        private int t;
        private int s;
        private int n;

        synchronized void b() throws InterruptedException {
            int m = t++;
            while (m != s || n < 0) {
                wait();
            }
            s++;
            n++;
            notifyAll();
        }

        synchronized void c() throws InterruptedException {
            int m = t++;
            while (m != s || n != 0) {
                wait();
            }
            s++;
            n = -1;
        }

        synchronized void d() {
            if (n < 0) {
                n = 0;
            } else {
                n--;
            }
            if (n == 0) {
                notifyAll();
            }
        }
    }

    static final class f {
        private static int h;
        private static int i;

        static synchronized int e() throws InterruptedException {
            int x = ++h;
            Thread.sleep(1);
            i = x;
            return x;
        }

        static synchronized void g() throws InterruptedException {
            ac(h == i, "number");
            Thread.sleep(2);
        }
    }

    final a j = new a();
    int k;
    int l;

    void m() throws InterruptedException {
        j.b();
        int x = k;
        ab(5);
        ac(x == k && x == l, "table");
        j.d();
        xb.incrementAndGet();
        if (ae(2) == 0) {
            f.e();
        }
        ab(5);
    }

    void o() throws InterruptedException {
        ab(8);
        int x = f.e();
        j.c();
        k = x;
        ab(3);
        l = x;
        j.d();
    }

    public static void main(String[] args) throws InterruptedException {
        Zf z = new Zf();
        for (int i = 0; i < 4; i++) {
            aa("r" + i, z::m);
        }
        aa("w0", z::o);
        aa("w1", z::o);
        aa("v", () -> {
            ab(5);
            f.g();
        });
        ad(args);
    }
}
