// @lock Ue$a
// @type LATCH count=2
// @role count-down Ue$a.a
// @role await Ue$a.c
// @role await Ue$a.b
//
// @lock Ue$b
// @type JOIN
// @role join java.lang.Thread.join

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Orders that are complete when both halves are in; short jobs whose end is awaited. Obfuscated. */
public class Ue {
    static volatile String u;
    static final AtomicLong v = new AtomicLong();

    interface S {
        void run() throws InterruptedException;
    }

    static void y(boolean a, String b) {
        if (!a && u == null) {
            u = b;
        }
    }

    static void z(int a, int b) throws InterruptedException {
        Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1));
    }

    static void x(String a, S s) {
        Thread t = new Thread(() -> {
            try {
                while (u == null) {
                    s.run();
                    v.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                y(false, a + ": " + e);
            }
        }, a);
        t.setDaemon(true);
        t.start();
    }

    static void w(String[] a) throws InterruptedException {
        System.out.println("READY");
        long b = System.nanoTime() + (a.length > 0 ? Long.parseLong(a[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < b && u == null) {
            Thread.sleep(40);
        }
        y(v.get() > 0, "nothing was done");
        if (u != null) {
            System.out.println("BROKEN " + u);
            System.exit(1);
        }
        System.out.println("DONE " + v.get());
        System.exit(0);
    }
    static final class a {
        private int a;

        void a(int b) {
            synchronized (this) {
                a |= b;
                if (a == 3) {
                    notifyAll();
                }
            }
        }

        synchronized void c() throws InterruptedException {
            while (a != 3) {
                wait();
            }
        }

        synchronized boolean b(long b) throws InterruptedException {
            long c = System.nanoTime();
            while (a != 3) {
                long d = b - (System.nanoTime() - c) / 1_000_000;
                if (d <= 0) {
                    return false;
                }
                wait(d);
            }
            return true;
        }
    }

    static final class b extends Thread {
        private final int a;
        private final a b;
        int c;

        b(int a, a b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                z(2, 6);
                c = a;
                if (b != null) {
                    b.a(a);
                }
            } catch (InterruptedException d) {
                y(false, "b");
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        for (int b = 0; b < 2; b++) {
            boolean c = b == 0;
            x("a" + b, () -> {
                a d = new a();
                b e = new b(1, d);
                b f = new b(2, d);
                e.start();
                f.start();
                if (c) {
                    d.c();
                } else if (!d.b(5000)) {
                    y(false, "c");
                }
                y(e.c + f.c == 3, "d");
                z(3, 8);
            });
        }
        x("b", () -> {
            List<b> b = new ArrayList<>();
            for (int c = 0; c < 3; c++) {
                b d = new b(4 + c, null);
                b.add(d);
                d.start();
            }
            int e = 0;
            for (b d : b) {
                d.join();
                e += d.c;
            }
            y(e == 15, "e");
            z(4, 9);
        });
        w(a);
    }
}
