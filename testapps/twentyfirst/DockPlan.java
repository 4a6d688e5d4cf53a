// @lock DockPlan$b
// @type SEMAPHORE permits=3
// @role acquire DockPlan$b.a
// @role release DockPlan$b.b
//
// @lock DockPlan$c
// @type DELAY
// @role delay DockPlan$c.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class DockPlan {
    static final AtomicLong a = new AtomicLong();
    static final AtomicIntegerArray b = new AtomicIntegerArray(3);
    static volatile String c;

    // the docks: a bit for each one in use
    static class b {
        private int a;
        private final int b = 7;

        // number of a dock, or -1 when there was none in time
        int a(long n) throws InterruptedException {
            long e = System.nanoTime() + n * 1000000L;
            synchronized (this) {
                while ((a & b) == b) {
                    long l = (e - System.nanoTime()) / 1000000L;
                    if (l <= 0) return -1;
                    wait(l);
                }
                int f = Integer.numberOfTrailingZeros(~a);
                a |= 1 << f;
                return f;
            }
        }

        void b(int n) {
            synchronized (this) {
                if ((a & (1 << n)) == 0) throw new IllegalStateException();
                a &= ~(1 << n);
                notify();
            }
        }
    }

    // sleeps without giving up early
    static class c {
        synchronized void a(int n) throws InterruptedException {
            long e = System.nanoTime() + n * 1000000L;
            long l = n;
            while (l > 0) {
                wait(l);
                l = (e - System.nanoTime() + 999999L) / 1000000L;
            }
        }
    }

    static class d extends Thread {
        final b a;
        d(b a) { this.a = a; setDaemon(true); }
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (c == null) {
                    int n = a.a(250);
                    if (n < 0) continue;
                    if (DockPlan.b.incrementAndGet(n) != 1) c = "two in dock " + n;
                    Thread.sleep(3 + r.nextInt(8));
                    DockPlan.b.decrementAndGet(n);
                    a.b(n);
                    DockPlan.a.incrementAndGet();
                    Thread.sleep(1 + r.nextInt(6));
                }
            } catch (InterruptedException e) {
                c = "interrupted";
            }
        }
    }

    static class e extends Thread {
        final c a = new c();
        final int b;
        e(int b) { this.b = b; setDaemon(true); }
        public void run() {
            try {
                while (c == null) {
                    long s = System.nanoTime();
                    a.a(b);
                    if (System.nanoTime() - s < b * 1000000L) c = "too early";
                    for (int i = 0, v; i < 3; i++)
                        if ((v = DockPlan.b.get(i)) < 0 || v > 1) c = "dock " + i + ": " + v;
                }
            } catch (InterruptedException e) {
                c = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        long n = z.length > 0 ? Long.parseLong(z[0]) : 600;
        b d = new b();
        for (int i = 0; i < 6; i++) new d(d).start();
        new e(8).start();
        new e(15).start();
        System.out.println("READY");
        for (long i = 0; i < n * 10 && c == null; i++) Thread.sleep(100);
        if (c != null) { System.out.println(c); System.exit(1); }
        System.out.println("DONE " + a.get());
        System.exit(0);
    }
}
