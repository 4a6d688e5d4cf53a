// @lock Fq2$b
// @type SEMAPHORE permits=2
// @role acquire Fq2$a.a
// @role release Fq2$a.b
// @lock Fq2$c
// @type LATCH count=1
// @role await Fq2$c.a
// @role count-down Fq2$c.b
// @quiet

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two charging points at a depot: who finds none free queues and is called in order; the depot opens once. */
public class Fq2 {
    static volatile String e;
    static final AtomicLong f = new AtomicLong();
    static final AtomicInteger g = new AtomicInteger();

    static class b {
        boolean a;
    }

    static class a {
        private final ArrayDeque<b> a = new ArrayDeque<>();
        private int b;

        a(int b) {
            this.b = b;
        }

        void a() throws InterruptedException {
            b n;
            synchronized (a) {
                if (b > 0) {
                    b--;
                    return;
                }
                n = new b();
                a.addLast(n);
            }
            synchronized (n) {
                while (!n.a) {
                    n.wait();
                }
            }
        }

        void b() {
            synchronized (a) {
                b n = a.pollFirst();
                if (n == null) {
                    b++;
                    return;
                }
                synchronized (n) {
                    n.a = true;
                    n.notify();
                }
            }
        }
    }

    static class c {
        private int a = 1;

        synchronized void a() throws InterruptedException {
            while (a > 0) {
                wait();
            }
        }

        synchronized void b() {
            if (a > 0) {
                a = 0;
                notifyAll();
            }
        }
    }

    static class d extends Thread {
        private final a a;
        private final c b;
        private final int c;

        d(a a, c b, int c) {
            this.a = a;
            this.b = b;
            this.c = c;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                b.a();
                while (e == null) {
                    a.a();
                    if (g.incrementAndGet() > 2) {
                        e = "three at two points";
                    }
                    Thread.sleep(2 + c % 3);
                    g.decrementAndGet();
                    a.b();
                    f.incrementAndGet();
                    Thread.sleep(c);
                }
            } catch (InterruptedException x) {
                e = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a a = new a(2);
        c c = new c();
        for (int i = 0; i < 6; i++) {
            new d(a, c, i + 1).start();
        }
        Thread.sleep(50);
        c.b();
        System.out.println("READY");
        long q = System.nanoTime() + s * 1000000000L;
        while (System.nanoTime() < q && e == null) {
            Thread.sleep(30);
        }
        if (e != null) {
            System.out.println(e);
            System.exit(1);
        }
        System.out.println("DONE " + f);
        System.exit(0);
    }
}
