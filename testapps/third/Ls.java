// @lock java.lang.Class#a
// @type LOCK reentrant=false
// @role lock Ls.a
// @role unlock Ls.b

import java.util.concurrent.atomic.AtomicLong;

public final class Ls {
    private static boolean c = true;
    private static int d;
    private static int e;
    private static final AtomicLong f = new AtomicLong();
    private static volatile boolean g;
    private static volatile boolean h;

    static synchronized void a() throws InterruptedException {
        while (true) {
            if (c) {
                c = false;
                return;
            }
            Ls.class.wait();
        }
    }

    static synchronized void b() {
        c = true;
        Ls.class.notifyAll();
    }

    static void c(int i) throws InterruptedException {
        a();
        try {
            d += i;
            Thread.sleep(1 + i % 4);
            e += i;
            if (d != e) {
                h = true;
            }
        } finally {
            b();
        }
        f.incrementAndGet();
        Thread.sleep(3 + i);
    }

    public static void main(String[] args) throws InterruptedException {
        long j = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] k = new Thread[5];
        for (int l = 0; l < k.length; l++) {
            int m = l + 1;
            k[l] = new Thread(() -> {
                try {
                    while (!g) {
                        c(m);
                    }
                } catch (InterruptedException n) {
                    h = true;
                }
            });
            k[l].setDaemon(true);
            k[l].start();
        }
        System.out.println("READY");
        Thread.sleep(j * 1000);
        g = true;
        for (Thread o : k) {
            o.join(5_000);
        }
        if (h || d != e) {
            throw new IllegalStateException(d + " " + e);
        }
        System.out.println("DONE " + f);
    }
}
