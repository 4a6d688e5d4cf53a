// @lock Vy$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Vy$a.a
// @role write-lock Vy$a.b
// @role read-unlock Vy$a.c
// @role write-unlock Vy$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** In order of arrival: everybody draws a number; readers pass the turn on at once, writers when nobody is left inside. */
public final class Vy {
    static final class a {
        private int e;
        private int f;
        private int g;

        public void a() {
            synchronized (this) {
                int h = e++;
                while (f != h || g < 0) {
                    b(0);
                }
                g++;
                f++;
                notifyAll();
            }
        }

        public void b() {
            synchronized (this) {
                int h = e++;
                while (f != h || g != 0) {
                    b(0);
                }
                g = -1;
                f++;
            }
        }

        public synchronized void c() {
            g--;
            if (g == 0) {
                notifyAll();
            }
        }

        public synchronized void d() {
            g = 0;
            notifyAll();
        }

        private void b(long h) {
            try {
                wait(h);
            } catch (InterruptedException i) {
                throw new IllegalStateException(i);
            }
        }
    }

    private final a h = new a();
    private final long[] i = new long[2];
    private volatile boolean j;
    private volatile boolean k;
    private final AtomicLong l = new AtomicLong();

    private void a(boolean m) throws InterruptedException {
        if (m) {
            h.b();
            i[0]++;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            i[1]++;
            h.d();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
        } else {
            h.a();
            long n = i[1];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (i[0] != n) {
                k = true;
            }
            h.c();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        }
        l.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Vy p = new Vy();
        Thread[] q = new Thread[7];
        for (int r = 0; r < q.length; r++) {
            boolean s = r > 4;
            q[r] = new Thread(() -> {
                try {
                    while (!p.j) {
                        p.a(s);
                    }
                } catch (InterruptedException t) {
                    p.k = true;
                }
            });
            q[r].setDaemon(true);
            q[r].start();
        }
        System.out.println("READY");
        Thread.sleep(o * 1000);
        p.j = true;
        for (Thread t : q) {
            t.join(5_000);
        }
        if (p.k || p.i[0] != p.i[1]) {
            throw new IllegalStateException("i");
        }
        System.out.println("DONE " + p.l);
    }
}
