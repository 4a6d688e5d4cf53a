// @lock Sl8$b
// @type PRODUCER-CONSUMER capacity=4
// @role put Sl8$a.a
// @role take Sl8$a.b

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** A sorting belt of four trays, each a monitor of its own; a monitor at either end gives the order. */
public class Sl8 {
    static volatile String f;
    static final AtomicLong g = new AtomicLong();
    static final AtomicLong h = new AtomicLong();
    static final AtomicLongArray i = new AtomicLongArray(2);

    static class b {
        private long a = -1;

        void a(long x) throws InterruptedException {
            while (a >= 0) {
                wait();
            }
            a = x;
            notifyAll();
        }

        long b() throws InterruptedException {
            while (a < 0) {
                wait();
            }
            long x = a;
            a = -1;
            notifyAll();
            return x;
        }
    }

    static class c {
        int a;
    }

    static class a {
        private final b[] a = new b[4];
        private final c b = new c();
        private final c c = new c();

        a() {
            for (int i = 0; i < a.length; i++) {
                a[i] = new b();
            }
        }

        void a(long x) throws InterruptedException {
            synchronized (b) {
                b s = a[b.a++ & 3];
                synchronized (s) {
                    s.a(x);
                }
            }
        }

        long b() throws InterruptedException {
            synchronized (c) {
                b s = a[c.a++ & 3];
                synchronized (s) {
                    return s.b();
                }
            }
        }
    }

    static class d implements Runnable {
        private final a a;
        private final int b;

        d(a a, int b) {
            this.a = a;
            this.b = b;
        }

        @Override
        public void run() {
            try {
                for (int n = 0;; n++) {
                    if (b < 3) {
                        long x = n * 3L + b;
                        g.addAndGet(x);
                        i.incrementAndGet(0);
                        a.a(x);
                        Thread.sleep(n / 30 % 2 == 0 ? 1 : 12);
                    } else {
                        long x = a.b();
                        if (g.addAndGet(-x) < 0) {
                            f = "taken more than put";
                        }
                        h.incrementAndGet();
                        if (i.incrementAndGet(1) > i.get(0)) {
                            f = "tray taken twice";
                        }
                        Thread.sleep(4);
                    }
                }
            } catch (InterruptedException x) {
                f = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a a = new a();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(new d(a, i));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long q = System.nanoTime() + s * 1000000000L;
        long o = -1;
        while (System.nanoTime() < q && f == null) {
            Thread.sleep(500);
            if (o == h.get()) {
                f = "belt stands";
            }
            o = h.get();
        }
        if (f != null) {
            System.out.println(f);
            System.exit(1);
        }
        System.out.println("DONE " + h);
        System.exit(0);
    }
}
