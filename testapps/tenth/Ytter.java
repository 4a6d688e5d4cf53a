// @lock Ytter$a
// @type BARRIER parties=4
// @role arrive Ytter$a.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** A numerical iteration on four threads that meet in pairs, a representative of each pair meeting at the root. Obfuscated. */
public final class Ytter {
    static final class a {
        private final a a;
        private int b;
        private long c;

        a(a d) {
            a = d;
        }

        synchronized void a() throws InterruptedException {
            long d = c;
            if (++b == 1) {
                while (c == d) {
                    wait();
                }
                return;
            }
            if (a != null) {
                a.a();
            }
            b = 0;
            c++;
            notifyAll();
        }
    }

    static final class b {
        private final a[] a = new a[2];

        b() {
            a b = new a(null);
            a[0] = new a(b);
            a[1] = new a(b);
        }

        void a(int b) throws InterruptedException {
            a[b >> 1].a();
        }
    }

    private static final double[][] c = {{1, 2, 3, 4}, new double[4]};
    private static final AtomicLongArray d = new AtomicLongArray(4);
    private static final AtomicLong e = new AtomicLong();
    private static volatile String f;

    static final class c extends Thread {
        private final b a;
        private final int b;

        c(b d, int e) {
            a = d;
            b = e;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int d = 0; f == null; d++) {
                    double[] e = Ytter.c[d & 1];
                    Ytter.c[d & 1 ^ 1][b] = (e[b] + e[b + 1 & 3]) / 2;
                    sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    Ytter.d.incrementAndGet(b);
                    a.a(b);
                    a(d + 1);
                    Ytter.e.incrementAndGet();
                }
            } catch (InterruptedException d) {
                f = "interrupted";
            }
        }

        private void a(long d) {
            double e = 0;
            for (int g = 0; g < 4; g++) {
                if (Ytter.d.get(g) < d) {
                    f = "one is behind";
                }
                e += Ytter.c[(int) (d & 1)][g];
            }
            if (Math.abs(e - 10) > 1e-6) {
                f = "the sum has changed";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long g = args.length > 0 ? Long.parseLong(args[0]) : 600;
        b h = new b();
        for (int i = 0; i < 4; i++) {
            new c(h, i).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (f != null) {
            throw new IllegalStateException(f);
        }
        System.out.println("DONE " + e);
    }
}
