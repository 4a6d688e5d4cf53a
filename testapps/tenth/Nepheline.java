// @lock Nepheline$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Nepheline$a.a
// @role read-unlock Nepheline$a.b
// @role write-lock Nepheline$a.c
// @role write-unlock Nepheline$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A table of rates under numbers drawn on arrival: one display for those who look, one for those who change. Obfuscated. */
public final class Nepheline {
    static final class a {
        private long a;
        private long b;
        private long c;

        synchronized void a() throws InterruptedException {
            long d = a++;
            while (b != d) {
                wait();
            }
            b++;
            notifyAll();
        }

        synchronized void b() {
            c++;
            notifyAll();
        }

        synchronized void c() throws InterruptedException {
            long d = a++;
            while (c != d) {
                wait();
            }
        }

        synchronized void d() {
            b++;
            c++;
            notifyAll();
        }
    }

    static final class b {
        private final a a = new a();
        private final double[] b = {1, 1, 1, 1, 1, 1};

        boolean a() throws InterruptedException {
            a.a();
            try {
                double c = b[0];
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                for (double d : b) {
                    if (d != c) {
                        return false;
                    }
                }
                return true;
            } finally {
                a.b();
            }
        }

        void a(double c) throws InterruptedException {
            a.c();
            try {
                for (int d = 0; d < b.length; d++) {
                    b[d] *= c;
                    if (d == 2) {
                        Thread.sleep(1);
                    }
                }
            } finally {
                a.d();
            }
        }
    }

    private static final AtomicLong c = new AtomicLong();
    private static volatile String d;

    private static void a(b e, int f) {
        ThreadLocalRandom g = ThreadLocalRandom.current();
        try {
            while (d == null) {
                if (f < 5) {
                    if (!e.a()) {
                        d = "half a change was seen";
                    }
                    Thread.sleep(g.nextInt(1, 6));
                } else {
                    e.a(g.nextDouble(0.99, 1.01));
                    Thread.sleep(g.nextInt(5, 12));
                }
                c.incrementAndGet();
            }
        } catch (InterruptedException h) {
            d = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long e = args.length > 0 ? Long.parseLong(args[0]) : 600;
        b f = new b();
        for (int g = 0; g < 7; g++) {
            int h = g;
            Thread i = new Thread(() -> a(f, h));
            i.setDaemon(true);
            i.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(e * 1000);
        if (d != null) {
            throw new IllegalStateException(d);
        }
        System.out.println("DONE " + c);
    }
}
