// @lock java.lang.Object#f
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock Vz$a.c
// @role read-unlock Vz$a.d
// @role write-lock Vz$a.e
// @role write-unlock Vz$a.f
// @role wait Vz$a.g
// @role notify Vz$a.f

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A state store, read and written under a read-write lock on whose monitor watchers also wait for the next version. */
public class Vz {

    static final class a {
        private final Object h = new Object();
        private int i;
        private boolean j;
        private long k;

        void c() throws InterruptedException {
            synchronized (h) {
                while (j) {
                    h.wait();
                }
                ++i;
            }
        }

        void d() {
            synchronized (h) {
                --i;
                if (i == 0) {
                    h.notifyAll();
                }
            }
        }

        void e() throws InterruptedException {
            synchronized (h) {
                while (j || i != 0) {
                    h.wait();
                }
                j = true;
            }
        }

        void f() {
            synchronized (h) {
                j = false;
                k++;
                h.notifyAll();
            }
        }

        long g(long l) throws InterruptedException {
            synchronized (h) {
                while (k <= l) {
                    h.wait();
                }
                return k;
            }
        }
    }

    static volatile String b;
    static final AtomicLong c = new AtomicLong();
    static final a d = new a();
    static String e = "";
    static int f;

    static void g() throws InterruptedException {
        d.c();
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            if (e.length() != f) {
                b = "torn state";
            }
        } finally {
            d.d();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 7));
    }

    static void h() throws InterruptedException {
        d.e();
        try {
            e = e.length() > 40 ? "" : e + "x";
            Thread.sleep(1);
            f = e.length();
        } finally {
            d.f();
        }
        Thread.sleep(5);
    }

    static final class i extends Thread {
        private final int a;
        private long b;

        i(int a) {
            this.a = a;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                while (true) {
                    if (a < 3) {
                        g();
                    } else if (a < 5) {
                        h();
                    } else {
                        long j = d.g(b);
                        if (j <= b) {
                            Vz.b = "version " + j + " after " + b;
                        }
                        b = j;
                    }
                    c.incrementAndGet();
                }
            } catch (InterruptedException j) {
                Vz.b = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int j = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int k = 0; k < 7; k++) {
            new i(k).start();
        }
        System.out.println("READY");
        long k = System.currentTimeMillis() + j * 1000L;
        while (System.currentTimeMillis() < k && b == null) {
            Thread.sleep(50);
        }
        System.out.println(b == null ? "DONE " + c.get() : "FAULT " + b);
        System.exit(b == null ? 0 : 1);
    }
}
