// @lock Ulexite$a
// @type PRODUCER-CONSUMER+CONDITION capacity=8
// @role put Ulexite$a.a
// @role take Ulexite$a.b
// @role notify Ulexite$a.c
// @role wait Ulexite$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A write-behind cache: changes pass through eight places to the writers, and a checkpoint waits until everything handed in so far is on disk. Obfuscated. */
public final class Ulexite {
    static final class a {
        private final Object[] a = new Object[8];
        private int b;
        private int c;
        private int d;

        synchronized void a(Object e) throws InterruptedException {
            while (c == a.length) {
                wait();
            }
            a[(b + c++) % a.length] = e;
            d++;
            notifyAll();
        }

        synchronized Object b() throws InterruptedException {
            while (c == 0) {
                wait();
            }
            Object e = a[b];
            a[b] = null;
            b = (b + 1) % a.length;
            if (c-- == a.length) {
                notifyAll();
            }
            return e;
        }

        synchronized void c() {
            if (--d == 0) {
                notifyAll();
            }
        }

        synchronized void d() throws InterruptedException {
            while (d > 0) {
                wait();
            }
        }
    }

    static final class b {
        private final a a = new a();

        void a() throws InterruptedException {
            AtomicBoolean[] b = new AtomicBoolean[ThreadLocalRandom.current().nextInt(1, 12)];
            for (int c = 0; c < b.length; c++) {
                b[c] = new AtomicBoolean();
                a.a(b[c]);
            }
            a.d();
            for (AtomicBoolean c : b) {
                if (!c.get()) {
                    d = "a checkpoint before its changes";
                }
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
        }

        void b() throws InterruptedException {
            AtomicBoolean b = (AtomicBoolean) a.b();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            b.set(true);
            a.c();
        }
    }

    private static final AtomicLong c = new AtomicLong();
    private static volatile String d;

    private static void a(b e, int f) {
        try {
            while (d == null) {
                if (f % 2 == 0) {
                    e.a();
                } else {
                    e.b();
                }
                c.incrementAndGet();
            }
        } catch (InterruptedException g) {
            d = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long e = args.length > 0 ? Long.parseLong(args[0]) : 600;
        b[] f = {new b(), new b()};
        for (int g = 0; g < 12; g++) {
            int h = g / 2;
            b i = f[g % 2];
            Thread j = new Thread(() -> a(i, h));
            j.setDaemon(true);
            j.start();
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
