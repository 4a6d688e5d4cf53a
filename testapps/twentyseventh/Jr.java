// @lock Jr$a
// @type LOCK reentrant=false
// @role lock Jr$a.a
// @role unlock Jr$a.b
//
// @lock Jr$c
// @type DELAY
// @role delay Jr$c.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Jr {
    static volatile String d;
    static final AtomicLong e = new AtomicLong();

    static final class b {
        boolean a;

        b(boolean a) {
            this.a = a;
        }
    }

    static final class a {
        private b c = new b(false);
        private b d;

        void a() throws InterruptedException {
            b n = new b(true);
            b p;
            synchronized (this) {
                p = c;
                c = n;
            }
            synchronized (p) {
                while (p.a) {
                    p.wait();
                }
            }
            d = n;
        }

        void b() {
            b n = d;
            d = null;
            synchronized (n) {
                n.a = false;
                n.notifyAll();
            }
        }
    }

    static final class c {
        private int b;

        void a() throws InterruptedException {
            b = b >= 12 ? 3 : b + 3;
            long u = System.nanoTime() + b * 1_000_000L;
            synchronized (this) {
                for (long r = b; r > 0; r = (u - System.nanoTime()) / 1_000_000L) {
                    this.wait(r);
                }
            }
        }
    }

    static final a f = new a();
    static long g;

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(() -> {
                c h = new c();
                try {
                    for (;;) {
                        f.a();
                        long k = g;
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                        if (g != k) {
                            d = "changed under the holder";
                        }
                        g = k + 1;
                        f.b();
                        e.incrementAndGet();
                        h.a();
                    }
                } catch (InterruptedException | RuntimeException z) {
                    d = z.toString();
                }
            }, "j" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (long u = System.nanoTime() + n * 1_000_000_000L; System.nanoTime() < u && d == null;) {
            Thread.sleep(20);
        }
        System.out.println(d != null ? d : "DONE " + e.get());
        System.exit(d != null ? 1 : 0);
    }
}
