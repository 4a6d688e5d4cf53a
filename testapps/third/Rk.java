// @lock Rk$a
// @type LOCK reentrant=true
// @role lock Rk$a.a
// @role unlock Rk$a.b

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Owner and depth packed into one long: the high half says who, the low half how often. */
public final class Rk {
    static final AtomicInteger s = new AtomicInteger();
    static final ThreadLocal<Integer> i = ThreadLocal.withInitial(s::incrementAndGet);

    static final class a {
        private long c;

        synchronized void a() throws InterruptedException {
            long d = (long) i.get() << 32;
            while (c != 0 && (c & 0xffffffff00000000L) != d) {
                wait();
            }
            c = c == 0 ? d | 1 : c + 1;
        }

        synchronized void b() {
            if (c >>> 32 != i.get()) {
                throw new IllegalMonitorStateException();
            }
            if ((int) --c == 0) {
                c = 0;
                notify();
            }
        }
    }

    private final a e = new a();
    private final int[] f = new int[40];
    private final AtomicLong g = new AtomicLong();
    private volatile boolean h;
    private volatile Throwable j;

    void c(int n) throws InterruptedException {
        e.a();
        try {
            f[n]++;
            if (n > 0 && n % 5 != 0) {
                c(n - 1);
            } else {
                Thread.sleep(1 + n % 3);
            }
        } finally {
            e.b();
        }
    }

    int d() throws InterruptedException {
        e.a();
        try {
            int k = 0;
            for (int l = 0; l < f.length; l++) {
                k += f[l];
            }
            Thread.sleep(1);
            for (int l = 0; l < f.length; l++) {
                k -= f[l];
            }
            return k;
        } finally {
            e.b();
        }
    }

    void e(int m) {
        try {
            for (int n = m; !h; n++) {
                if (m == 0) {
                    if (d() != 0) {
                        throw new IllegalStateException("f");
                    }
                } else {
                    c(n * 7 % 40);
                }
                g.incrementAndGet();
                Thread.sleep(2 + n % 4);
            }
        } catch (InterruptedException | RuntimeException o) {
            j = o;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long p = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Rk q = new Rk();
        Thread[] r = new Thread[5];
        for (int t = 0; t < r.length; t++) {
            int u = t;
            r[t] = new Thread(() -> q.e(u));
            r[t].setDaemon(true);
            r[t].start();
        }
        System.out.println("READY");
        Thread.sleep(p * 1000);
        q.h = true;
        for (Thread t : r) {
            t.join(5_000);
        }
        if (q.j != null) {
            throw new IllegalStateException(q.j);
        }
        System.out.println("DONE " + q.g);
    }
}
