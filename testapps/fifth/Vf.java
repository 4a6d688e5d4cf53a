// @lock Vf$a
// @type LATCH count=1
// @role count-down Vf$a.c
// @role await Vf$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A session that opens its gate once, obfuscated: readers look at a volatile first and wait only if the login is not through yet. */
public final class Vf {
    static final class a {
        private final Object[] d = new Object[1];
        private volatile Object e;
        final int f;

        a(int f) {
            this.f = f;
        }

        Object b() throws InterruptedException {
            Object r = e;
            if (r != null) {
                return r;
            }
            synchronized (this) {
                while (d[0] == null) {
                    wait();
                }
                return d[0];
            }
        }

        void c(Object o) {
            synchronized (this) {
                if (d[0] == null) {
                    d[0] = o;
                    e = o;
                    notifyAll();
                }
            }
        }
    }

    static final AtomicReference<a> g = new AtomicReference<>(new a(0));
    static final AtomicLong h = new AtomicLong();
    static volatile boolean i;

    static void j() throws InterruptedException {
        a x = g.get();
        if (!("k" + x.f).equals(x.b())) {
            i = true;
        }
        h.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
    }

    static void k() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 6));
        a x = g.get();
        x.c("k" + x.f);
        Thread.sleep(1);
        g.set(new a(x.f + 1));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int n = 0; n < 6; n++) {
            boolean w = n == 0;
            Thread t = new Thread(() -> {
                try {
                    while (!i) {
                        if (w) {
                            k();
                        } else {
                            j();
                        }
                    }
                } catch (InterruptedException e) {
                    i = true;
                }
            }, "t" + n);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (i) {
            throw new IllegalStateException("a session was used under another's login");
        }
        System.out.println("DONE " + h);
    }
}
