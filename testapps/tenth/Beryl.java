// @lock Beryl$a
// @type DELAY
// @role delay Beryl$a.a
//
// @lock java.lang.Object#b
// @type DELAY
// @role delay Beryl$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Pollers with a back-off of their own that keeps to its deadline, and redrawers that pause on one object they all share. Obfuscated. */
public final class Beryl {
    static class a {
        private int a = 1;

        synchronized long a() throws InterruptedException {
            long b = System.nanoTime();
            long c = b + a * 1_000_000L;
            for (long d = c - b; d > 0; d = c - System.nanoTime()) {
                wait(d / 1_000_000 + 1);
            }
            a = a >= 8 ? 1 : a * 2;
            return System.nanoTime() - b;
        }

        synchronized void b() {
            a = 1;
        }
    }

    static final class b {
        private static final Object a = new Object();
        private static long b;

        static long b(int c) {
            synchronized (a) {
                b++;
                try {
                    if (c > 2) {
                        a.wait(c);
                    } else {
                        a.wait(c, 500_000);
                    }
                } catch (InterruptedException d) {
                    Thread.currentThread().interrupt();
                }
                return b;
            }
        }
    }

    private static final AtomicLong c = new AtomicLong();
    private static volatile String d;

    static final class c extends Thread {
        private final a a = new a();

        c() {
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (d == null) {
                    if (a.a() < 1_000_000L) {
                        d = "too short a pause";
                    }
                    if (ThreadLocalRandom.current().nextInt(6) == 0) {
                        a.b();
                    }
                    c.incrementAndGet();
                }
            } catch (InterruptedException b) {
                d = "interrupted";
            }
        }
    }

    private static void e() {
        long b = 0;
        while (!Thread.currentThread().isInterrupted()) {
            long f = Beryl.b.b(ThreadLocalRandom.current().nextInt(1, 5));
            if (f <= b) {
                d = "the count went back";
            }
            b = f;
            c.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long f = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int g = 0; g < 4; g++) {
            new c().start();
            Thread h = new Thread(Beryl::e);
            h.setDaemon(true);
            h.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(f * 1000);
        if (d != null) {
            throw new IllegalStateException(d);
        }
        System.out.println("DONE " + c);
    }
}
