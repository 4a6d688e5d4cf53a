// @lock Hd$a
// @type SEMAPHORE permits=3
// @role acquire Hd$a.a
// @role release Hd$a.b

import java.util.LinkedList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Hd {
    static volatile String c;
    static final AtomicLong d = new AtomicLong();
    static final AtomicInteger e = new AtomicInteger();

    static final class b {
        private boolean a;

        synchronized void a() throws InterruptedException {
            while (!a) {
                wait();
            }
        }

        synchronized void b() {
            a = true;
            notify();
        }
    }

    static final class a {
        private final LinkedList<b> c = new LinkedList<>();
        private int d;

        a(int n) {
            d = n;
        }

        void a() throws InterruptedException {
            b n;
            synchronized (this) {
                if (d > 0) {
                    d--;
                    return;
                }
                n = new b();
                c.addLast(n);
            }
            n.a();
        }

        void b() {
            b n;
            synchronized (this) {
                if (c.isEmpty()) {
                    d++;
                    return;
                }
                n = c.removeFirst();
            }
            n.b();
        }
    }

    static final class c implements Runnable {
        private final a f;
        private final Random g;

        c(a f, int k) {
            this.f = f;
            g = new Random(k);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    f.a();
                    try {
                        if (e.incrementAndGet() > 3) {
                            Hd.c = "too many";
                        }
                        Thread.sleep(2 + g.nextInt(6));
                        e.decrementAndGet();
                    } finally {
                        f.b();
                    }
                    d.incrementAndGet();
                    Thread.sleep(1 + g.nextInt(4));
                }
            } catch (InterruptedException z) {
                Hd.c = z.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a f = new a(3);
        for (int i = 0; i < 7; i++) {
            Thread t = new Thread(new c(f, i), "h" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long u = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < u && c == null) {
            Thread.sleep(25);
        }
        System.out.println(c != null ? c : "DONE " + d.get());
        System.exit(c != null ? 1 : 0);
    }
}
