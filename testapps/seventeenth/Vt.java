// @lock Vt$a
// @type PRODUCER-CONSUMER+CONDITION capacity=unbounded
// @role put Vt$a.a
// @role take Vt$a.b
// @role notify Vt$a.c
// @role wait Vt$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A search engine's indexer: pages are added without limit, two workers index them, and a publisher waits for quiet moments. */
public class Vt {
    static final class c {
        final int a;
        c b;

        c(int a) {
            this.a = a;
        }
    }

    static final class a {
        private c a;
        private c b;
        private int c;
        private long d;

        void a(int v) {
            c n = new c(v);
            synchronized (this) {
                if (b == null) {
                    a = n;
                } else {
                    b.b = n;
                }
                b = n;
                c++;
                notifyAll();
            }
        }

        int b() throws InterruptedException {
            synchronized (this) {
                while (a == null) {
                    wait();
                }
                c n = a;
                a = n.b;
                if (a == null) {
                    b = null;
                }
                return n.a;
            }
        }

        synchronized void c() {
            if (c == 0) {
                throw new IllegalStateException("more done than begun");
            }
            d++;
            if (--c == 0) {
                notifyAll();
            }
        }

        synchronized long d() throws InterruptedException {
            while (c != 0) {
                wait();
            }
            return d;
        }
    }

    static final AtomicLong d = new AtomicLong();
    static final AtomicLong e = new AtomicLong();
    static volatile String f;

    abstract static class b implements Runnable {
        final a g;

        b(a g) {
            this.g = g;
            Thread t = new Thread(this::run);
            t.setDaemon(true);
            t.start();
        }

        abstract void a() throws InterruptedException;

        @Override
        public void run() {
            try {
                for (;;) {
                    a();
                }
            } catch (InterruptedException | RuntimeException x) {
                f = String.valueOf(x);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a q = new a();
        for (int i = 0; i < 2; i++) {
            new b(q) {
                @Override
                void a() throws InterruptedException {
                    for (int k = ThreadLocalRandom.current().nextInt(1, 4); k > 0; k--) {
                        d.incrementAndGet();
                        g.a(k);
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(10, 22));
                }
            };
            new b(q) {
                @Override
                void a() throws InterruptedException {
                    int k = g.b();
                    Thread.sleep(k);
                    e.incrementAndGet();
                    g.c();
                }
            };
        }
        new b(q) {
            private long h;

            @Override
            void a() throws InterruptedException {
                long before = d.get();
                long x = g.d();
                if (x < h || e.get() < x) {
                    throw new IllegalStateException("published early " + before);
                }
                h = x;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        };
        System.out.println("READY");
        long end = System.nanoTime() + n * 1000000000L;
        while (f == null && System.nanoTime() - end < 0) {
            Thread.sleep(30);
        }
        System.out.println(f == null ? "DONE " + e : f);
        System.exit(f == null ? 0 : 1);
    }
}
