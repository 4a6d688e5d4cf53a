// @lock Cz$b
// @type SEMAPHORE permits=2
// @role acquire Cz$b.a
// @role release Cz$b.b

// @lock Cz$d
// @type BARRIER parties=3
// @role arrive Cz$d.a

import java.util.LinkedList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Two wrapping machines granted in order of arrival, each who waits on a monitor of his own; teams of three finish a pallet together. Obfuscated. */
public class Cz {
    static class a {
        boolean a;
    }

    static class b {
        private int a = 2;
        private final LinkedList<a> b = new LinkedList<a>();

        void a() throws InterruptedException {
            a c;
            synchronized (this) {
                if (a > 0) {
                    a--;
                    return;
                }
                c = new a();
                b.addLast(c);
            }
            synchronized (c) {
                while (!c.a) {
                    c.wait();
                }
            }
        }

        void b() {
            a c;
            synchronized (this) {
                if (b.isEmpty()) {
                    a++;
                    return;
                }
                c = b.removeFirst();
            }
            synchronized (c) {
                c.a = true;
                c.notify();
            }
        }
    }

    static class d {
        private int a;
        private int b;

        int a() throws InterruptedException {
            synchronized (this) {
                int c = b;
                if (++a < 3) {
                    while (c == b) {
                        wait();
                    }
                } else {
                    a = 0;
                    b++;
                    notifyAll();
                }
                return c;
            }
        }
    }

    static final AtomicInteger e = new AtomicInteger();
    static final AtomicInteger f = new AtomicInteger();
    static volatile boolean g;

    static class c implements Runnable {
        private final b a;
        private final d b;

        c(b c, d d) {
            a = c;
            b = d;
        }

        public void run() {
            Random h = new Random();
            try {
                for (int i = 0; !g; i++) {
                    a.a();
                    try {
                        if (e.incrementAndGet() > 2) {
                            g = true;
                        }
                        Thread.sleep(2 + h.nextInt(4));
                    } finally {
                        e.decrementAndGet();
                        a.b();
                    }
                    if (b.a() != i) {
                        g = true;
                    }
                    f.incrementAndGet();
                }
            } catch (InterruptedException j) {
                g = true;
            }
        }
    }

    public static void main(String[] h) throws InterruptedException {
        int i = h.length > 0 ? Integer.parseInt(h[0]) : 600;
        b j = new b();
        for (int k = 0; k < 2; k++) {
            d l = new d();
            for (int m = 0; m < 3; m++) {
                Thread n = new Thread(new c(j, l));
                n.setDaemon(true);
                n.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(i * 1000L);
        if (g) {
            throw new IllegalStateException("machine or pallet broken");
        }
        System.out.println("DONE " + f);
    }
}
