// @lock Tw$a
// @type BARRIER parties=4
// @role arrive Tw$a.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Tw {
    static volatile String b;
    static final AtomicLong c = new AtomicLong();

    static final class a {
        private final a d;
        private int e;
        private long f;

        a(a d) {
            this.d = d;
        }

        void a() throws InterruptedException {
            synchronized (this) {
                long g = f;
                if (++e < 2) {
                    while (g == f) {
                        wait();
                    }
                    return;
                }
                if (d != null) {
                    d.a();
                }
                e = 0;
                f++;
                notifyAll();
            }
        }
    }

    static final class b {
        private final a[] c;

        b() {
            a r = new a(null);
            c = new a[] {new a(r), new a(r)};
        }

        void a(int i) throws InterruptedException {
            c[i >> 1].a();
        }
    }

    static final class c extends Thread {
        private final int d;
        private final b e;
        private final long[][] f;

        c(int d, b e, long[][] f) {
            this.d = d;
            this.e = e;
            this.f = f;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (long s = 0; ; s++) {
                    long[] v = f[(int) (s & 1)];
                    long[] w = f[(int) (s + 1 & 1)];
                    w[d] = v[d] + v[(d + 1) % 4] % 2 + s;
                    w[d + 4] = s;
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
                    e.a(d);
                    for (int i = 4; i < 8; i++) {
                        if (w[i] != s) {
                            Tw.b = "step " + w[i] + " at " + s;
                        }
                    }
                    Tw.c.incrementAndGet();
                }
            } catch (InterruptedException z) {
                Tw.b = z.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        b e = new b();
        long[][] f = new long[2][8];
        for (int i = 0; i < 4; i++) {
            new c(i, e, f).start();
        }
        System.out.println("READY");
        long u = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < u && b == null) {
            Thread.sleep(25);
        }
        System.out.println(b != null ? b : "DONE " + c.get());
        System.exit(b != null ? 1 : 0);
    }
}
