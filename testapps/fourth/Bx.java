// @lock java.lang.Object#c
// @type READ-WRITE preference=readers
// @role read-lock Bx$a.c
// @role read-unlock Bx$a.d
// @role write-lock Bx$a.e
// @role write-unlock Bx$a.f

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Who is in a document, told by one int: the top bit for the one who changes it, the rest counts those who read. Obfuscated. */
public final class Bx {
    static final class a {
        private final Object a = new Object();
        private int b;

        void c() throws InterruptedException {
            synchronized (a) {
                while ((b & 1 << 31) != 0) {
                    a.wait();
                }
                b += 1;
            }
        }

        void d() {
            synchronized (a) {
                b -= 1;
                if (b << 1 == 0) {
                    a.notifyAll();
                }
            }
        }

        void e() throws InterruptedException {
            synchronized (a) {
                for (;;) {
                    if (b == 0) {
                        b |= 1 << 31;
                        return;
                    }
                    a.wait();
                }
            }
        }

        void f() {
            synchronized (a) {
                b &= ~(1 << 31);
                a.notifyAll();
            }
        }
    }

    static final StringBuilder g = new StringBuilder("x=0;x=0;");
    static final AtomicLong h = new AtomicLong();
    static final AtomicLong i = new AtomicLong();

    static void j(a k) {
        try {
            for (;;) {
                k.c();
                String l = g.toString();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                if (!l.equals(g.toString()) || !l.substring(0, l.length() / 2).equals(l.substring(l.length() / 2))) {
                    i.incrementAndGet();
                }
                k.d();
                h.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
            }
        } catch (InterruptedException l) {
            Thread.currentThread().interrupt();
        }
    }

    static void m(a k, int n) {
        try {
            for (int o = 0;; o++) {
                k.e();
                String p = "x=" + (o % 10 + n) + ";";
                g.setLength(0);
                g.append(p);
                Thread.sleep(1 + n);
                g.append(p);
                k.f();
                h.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
            }
        } catch (InterruptedException l) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long q = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a k = new a();
        for (int r = 0; r < 7; r++) {
            int n = r;
            Thread s = new Thread(r < 2 ? () -> m(k, n) : () -> j(k));
            s.setDaemon(true);
            s.start();
        }
        System.out.println("READY");
        Thread.sleep(q * 1000);
        if (i.get() > 0) {
            throw new IllegalStateException(i + " half-changed documents read");
        }
        System.out.println("DONE " + h);
    }
}
