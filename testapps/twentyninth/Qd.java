// @lock Qd$c
// @type BARRIER parties=2 form=exchanger
// @role arrive Qd$c.a
// @lock Qd$d
// @type NOT-SHARED
// @quiet
// @lock Qd$e
// @type MUTEX
// @role enter Qd$e.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Qd {
    static class c<a> {
        private a a;
        private int b;

        public synchronized a a(a c) throws InterruptedException {
            while (b == 2) {
                wait();
            }
            a d = a;
            a = c;
            if (b++ == 0) {
                while (b != 2) {
                    wait();
                }
                d = a;
                a = null;
                b = 0;
            }
            notifyAll();
            return d;
        }
    }

    static class d {
        private final StringBuilder a = new StringBuilder();
        private int b;

        synchronized d a(Object c) {
            a.append(c).append(';');
            b++;
            return this;
        }

        synchronized int b() {
            int c = b;
            b = 0;
            a.setLength(0);
            return c;
        }
    }

    static class e {
        private final long[] a = new long[6];
        private long b;

        long a(int c, long f) throws InterruptedException {
            synchronized (this) {
                a[c] += f;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                b += f;
                long g = 0;
                for (long h : a) {
                    g += h;
                }
                if (g != b) {
                    throw new IllegalStateException("f");
                }
                return g;
            }
        }
    }

    static class g extends Thread {
        private final c<long[]> a;
        private final e b;
        private final int c;

        g(c<long[]> d, e f, int h) {
            a = d;
            b = f;
            c = h;
        }

        @Override
        public void run() {
            try {
                for (long d = 0; k == null; d++) {
                    long[] f = {c, d, -1};
                    long[] g = a.a(f);
                    if (g == null || g == f || g[0] == c) {
                        throw new IllegalStateException("h");
                    }
                    // each side writes into what it got, nobody else may
                    if (g[2] != -1) {
                        throw new IllegalStateException("i");
                    }
                    g[2] = c;
                    b.a(c, g[1] & 7);
                    l.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
                }
            } catch (InterruptedException | RuntimeException d) {
                k = d.toString();
            }
        }
    }

    private static volatile String k;
    private static final AtomicLong l = new AtomicLong();

    private static void a() {
        d b = new d();
        try {
            for (int c = 0; k == null; c++) {
                b.a(c).a(l.get());
                if (c % 50 == 49 && b.b() != 100) {
                    k = "j";
                }
                Thread.sleep(5);
            }
        } catch (InterruptedException f) {
            k = "m";
        }
    }

    public static void main(String[] b) throws InterruptedException {
        long d = b.length > 0 ? Long.parseLong(b[0]) : 600;
        c<long[]> f = new c<>();
        e h = new e();
        for (int i = 0; i < 6; i++) {
            Thread j = new g(f, h, i);
            j.setDaemon(true);
            j.start();
        }
        Thread j = new Thread(Qd::a);
        j.setDaemon(true);
        j.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(d * 1000);
        if (k != null) {
            throw new IllegalStateException(k);
        }
        System.out.println("DONE " + l);
    }
}
