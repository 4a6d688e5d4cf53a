// @lock Nq$a
// @type BARRIER parties=3
// @role arrive Nq$a.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public final class Nq {
    static final class a {
        private int b = 3;
        private boolean c;

        void a() {
            synchronized (this) {
                boolean d = !c;
                b--;
                if (b > 0) {
                    while (c != d) {
                        try {
                            wait();
                        } catch (InterruptedException e) {
                            throw new RuntimeException(e);
                        }
                    }
                } else {
                    b = 3;
                    c = d;
                    notifyAll();
                }
            }
        }
    }

    static final class b implements Runnable {
        final a f;
        final AtomicInteger[] g;
        final int h;

        b(a f, AtomicInteger[] g, int h) {
            this.f = f;
            this.g = g;
            this.h = h;
        }

        @Override
        public void run() {
            try {
                for (int i = 1; o == null; i++) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
                    g[h].set(i);
                    f.a();
                    for (AtomicInteger l : g) {
                        if (l.get() < i || l.get() > i + 1) {
                            throw new IllegalStateException(l.toString());
                        }
                    }
                    m.incrementAndGet();
                }
            } catch (InterruptedException n) {
                Thread.currentThread().interrupt();
            } catch (IllegalStateException n) {
                o = n;
            }
        }
    }

    static final AtomicLong m = new AtomicLong();
    static volatile RuntimeException o;

    public static void main(String[] args) throws InterruptedException {
        long p = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int q = 0; q < 3; q++) {
            a r = new a();
            AtomicInteger[] s = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
            for (int t = 0; t < 3; t++) {
                Thread u = new Thread(new b(r, s, t));
                u.setDaemon(true);
                u.start();
            }
        }
        System.out.println("READY");
        Thread.sleep(p * 1000);
        if (o != null || m.get() == 0) {
            throw new IllegalStateException(o);
        }
        System.out.println("DONE " + m);
    }
}
