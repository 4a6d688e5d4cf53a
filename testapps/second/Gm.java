// @lock Gm$a
// @type CONDITION form=resettable-event
// @role wait Gm$a.c
// @role notify Gm$a.e

import java.util.concurrent.atomic.AtomicLong;

/** Animations stop and go on together, again and again. Obfuscated. */
public class Gm {
    static class a {
        private volatile boolean b;

        void c() throws InterruptedException {
            if (b) {
                synchronized (this) {
                    while (b) {
                        wait();
                    }
                }
            }
        }

        synchronized void d() {
            b = true;
        }

        synchronized void e() {
            b = false;
            notifyAll();
        }
    }

    static final a f = new a();
    static final AtomicLong g = new AtomicLong();
    static volatile boolean h;

    public static void main(String[] i) throws InterruptedException {
        long j = i.length > 0 ? Long.parseLong(i[0]) : 600;
        for (int k = 0; k < 3; k++) {
            final int l = k;
            Thread m = new Thread(new Runnable() {
                private double n;

                @Override
                public void run() {
                    try {
                        while (true) {
                            f.c();
                            for (int o = 0; o < 200; o++) {
                                n = Math.sin(n + o);
                            }
                            g.incrementAndGet();
                            Thread.sleep(1 + l);
                        }
                    } catch (InterruptedException o) {
                        h = true;
                    }
                }
            });
            m.setDaemon(true);
            m.start();
        }
        Thread p = new Thread(() -> {
            try {
                while (true) {
                    Thread.sleep(4);
                    f.d();
                    Thread.sleep(12);
                    long q = g.get();
                    Thread.sleep(2);
                    if (g.get() > q + 3) {
                        h = true;
                    }
                    f.e();
                }
            } catch (InterruptedException q) {
                h = true;
            }
        });
        p.setDaemon(true);
        p.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        if (h) {
            System.out.println("ran on");
            System.exit(1);
        }
        System.out.println("DONE " + g);
    }
}
