// Numbered slots kept as bits of a mask, and a budget kept in a static utility; names as an obfuscator leaves them.
// @lock Marl$a
// @type SEMAPHORE permits=4
// @role acquire Marl$a.a
// @role release Marl$a.b
// @lock java.lang.Class#c
// @type SEMAPHORE permits=6
// @role acquire Marl$b.c
// @role release Marl$b.d
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Marl {
    static volatile String a;
    static final AtomicLong z = new AtomicLong();
    static final AtomicInteger c = new AtomicInteger();
    static final AtomicIntegerArray d = new AtomicIntegerArray(4);

    static final class a {
        private int a = 15;

        synchronized int a() throws InterruptedException {
            while (a == 0) {
                wait();
            }
            int c = Integer.numberOfTrailingZeros(a);
            a &= ~(1 << c);
            return c;
        }

        synchronized void b(int c) {
            if ((a & 1 << c) != 0) {
                throw new IllegalStateException("slot " + c);
            }
            a |= 1 << c;
            notify();
        }
    }

    static final class b {
        private static int a;

        private b() {
        }

        static synchronized void c(int n) throws InterruptedException {
            while (a + n > 6) {
                b.class.wait();
            }
            a += n;
        }

        static synchronized void d(int n) {
            a -= n;
            b.class.notifyAll();
        }
    }

    static final a e = new a();

    static void f() throws InterruptedException {
        int g = e.a();
        if (d.incrementAndGet(g) != 1) {
            a = "slot used twice";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
        d.decrementAndGet(g);
        e.b(g);
        z.incrementAndGet();
    }

    static void g() throws InterruptedException {
        int n = ThreadLocalRandom.current().nextInt(1, 4);
        Marl.b.c(n);
        if (c.addAndGet(n) > 6) {
            a = "budget exceeded";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
        c.addAndGet(-n);
        Marl.b.d(n);
        z.incrementAndGet();
        Thread.sleep(1);
    }

    public static void main(String[] h) throws InterruptedException {
        int i = h.length > 0 ? Integer.parseInt(h[0]) : 600;
        for (int j = 0; j < 12; j++) {
            final boolean k = j % 2 == 0;
            Thread l = new Thread(() -> {
                try {
                    while (true) {
                        if (k) {
                            f();
                        } else {
                            g();
                        }
                    }
                } catch (InterruptedException m) {
                    a = "interrupted";
                } catch (RuntimeException m) {
                    a = m.toString();
                }
            });
            l.setDaemon(true);
            l.start();
        }
        System.out.println("READY");
        for (long m = System.currentTimeMillis() + i * 1000L; a == null && System.currentTimeMillis() < m;) {
            Thread.sleep(20);
        }
        if (a != null) {
            System.out.println(a);
            System.exit(1);
        }
        System.out.println("DONE " + z.get());
    }
}
