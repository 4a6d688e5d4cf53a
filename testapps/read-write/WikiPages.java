// @lock WikiPages$a
// @type READ-WRITE preference=writers
// @role read-lock WikiPages$a$b.a
// @role read-unlock WikiPages$a$b.b
// @role write-lock WikiPages$a$c.a
// @role write-unlock WikiPages$a$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Wiki pages with a lock each, used through two inner views that share the outer object's monitor. Obfuscated. */
public final class WikiPages {
    interface d {
        void a() throws InterruptedException;

        void b();
    }

    static final class a {
        private int e;
        private int f;
        private int g;

        final d h = new b();
        final d i = new c();

        final class b implements d {
            @Override
            public void a() throws InterruptedException {
                synchronized (a.this) {
                    while (f + g != 0) {
                        a.this.wait();
                    }
                    e++;
                }
            }

            @Override
            public void b() {
                synchronized (a.this) {
                    e--;
                    if (e == 0 && g > 0) {
                        a.this.notifyAll();
                    }
                }
            }
        }

        final class c implements d {
            @Override
            public void a() throws InterruptedException {
                synchronized (a.this) {
                    g++;
                    while (f == 1 || e > 0) {
                        a.this.wait();
                    }
                    g--;
                    f = 1;
                }
            }

            @Override
            public void b() {
                synchronized (a.this) {
                    f = 0;
                    a.this.notifyAll();
                }
            }
        }
    }

    private static final class j {
        private final a k = new a();
        private long l;
        private long m;
    }

    private static final j[] n = {new j(), new j()};
    private static final AtomicLong o = new AtomicLong();
    private static volatile boolean p;

    private static void q(d r, boolean s, j t) throws InterruptedException {
        r.a();
        try {
            if (s) {
                t.l++;
            }
            Thread.sleep(s ? 1 : ThreadLocalRandom.current().nextInt(1, 4));
            if (s) {
                t.m++;
            }
            if (t.l != t.m) {
                p = true;
            }
        } finally {
            r.b();
        }
        o.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, s ? 12 : 5));
    }

    public static void main(String[] args) throws InterruptedException {
        long u = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int v = 0; v < 8; v++) {
            j w = n[v & 1];
            boolean x = v < 3;
            Thread y = new Thread(() -> {
                try {
                    while (!p) {
                        q(x ? w.k.i : w.k.h, x, w);
                    }
                } catch (InterruptedException z) {
                    Thread.currentThread().interrupt();
                }
            });
            y.setDaemon(true);
            y.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(u * 1000);
        if (p) {
            throw new IllegalStateException("a page was seen half written");
        }
        System.out.println("DONE " + o);
    }
}
