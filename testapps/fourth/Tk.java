// @lock Tk$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Tk$a.e
// @role read-unlock Tk$a.f
// @role write-lock Tk$a.g
// @role write-unlock Tk$a.h

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An order book read and matched in the order of numbers drawn; readers next to one another go in together. Obfuscated. */
public final class Tk {
    static final class a {
        private long a;
        private long b;
        private int c;
        private boolean d;

        synchronized void e() throws InterruptedException {
            long i = a++;
            while (b != i || d) {
                wait();
            }
            b++;
            c++;
            notifyAll();
        }

        synchronized void f() {
            if (--c == 0) {
                notifyAll();
            }
        }

        synchronized void g() throws InterruptedException {
            long i = a++;
            while (b != i || d || c != 0) {
                wait();
            }
            b++;
            d = true;
        }

        synchronized void h() {
            d = false;
            notifyAll();
        }
    }

    static final class j {
        final a k = new a();
        final long[] l = {50, 50};
    }

    static final AtomicLong m = new AtomicLong();
    static final AtomicLong n = new AtomicLong();

    static void o(j p) {
        try {
            for (;;) {
                p.k.e();
                long q = p.l[0];
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                if (q + p.l[1] != 100) {
                    n.incrementAndGet();
                }
                p.k.f();
                m.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
            }
        } catch (InterruptedException r) {
            Thread.currentThread().interrupt();
        }
    }

    static void s(j p) {
        try {
            for (;;) {
                p.k.g();
                try {
                    p.l[0]--;
                    Thread.sleep(1);
                    p.l[1]++;
                } finally {
                    p.k.h();
                }
                m.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 11));
            }
        } catch (InterruptedException r) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long t = args.length > 0 ? Long.parseLong(args[0]) : 600;
        j p = new j();
        for (int u = 0; u < 7; u++) {
            Thread v = new Thread(u % 3 == 2 ? () -> s(p) : () -> o(p));
            v.setDaemon(true);
            v.start();
        }
        System.out.println("READY");
        Thread.sleep(t * 1000);
        if (n.get() != 0) {
            throw new IllegalStateException(n + " crossed books");
        }
        System.out.println("DONE " + m);
    }
}
