// @lock Ju$c
// @type JOIN
// @role join Ju.a
//
// @lock Ju$d
// @type DELAY
// @role delay Ju$d.a

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/** A plotter that draws each layer of a plan on a thread of its own and waits for its end; pens that dry between strokes. */
public class Ju {
    static class c extends Thread {
        final int a;
        long b;

        c(int a) {
            this.a = a;
        }

        @Override
        public void run() {
            long x = 1;
            for (int i = 0; i < a; i++) {
                x = x * 31 + i;
            }
            try {
                Thread.sleep(2 + a % 9);
            } catch (InterruptedException e) {
                x = -1;
            }
            b = x;
        }
    }

    static class d {
        private final long a;
        private int b;

        d(long a) {
            this.a = a;
        }

        synchronized int a() {
            final long t = System.nanoTime();
            for (;;) {
                long u = a - (System.nanoTime() - t) / 1_000_000;
                if (u <= 0) {
                    return ++b;
                }
                try {
                    this.wait(u);
                } catch (InterruptedException e) {
                    return -1;
                }
            }
        }
    }

    static volatile String e;
    static volatile long f;

    static void a(c t) throws InterruptedException {
        synchronized (t) {
            while (t.isAlive()) {
                t.wait();
            }
        }
    }

    static void b(int s) {
        Random r = new Random(s);
        Deque<c> q = new ArrayDeque<>();
        try {
            while (true) {
                for (int i = 1 + r.nextInt(3); i > 0; i--) {
                    c t = new c(r.nextInt(100));
                    t.setDaemon(true);
                    t.start();
                    q.addLast(t);
                }
                while (!q.isEmpty()) {
                    c t = q.removeFirst();
                    a(t);
                    if (t.b == 0 || t.b == -1) {
                        e = "layer missing";
                    }
                    f++;
                }
                Thread.sleep(5);
            }
        } catch (InterruptedException x) {
            e = "interrupted";
        }
    }

    static void c(d p) {
        int n = 0;
        while (true) {
            long t = System.nanoTime();
            int k = p.a();
            if (k != ++n || System.nanoTime() - t < 3_000_000) {
                e = "pen wet";
                return;
            }
        }
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        Runnable[] j = {() -> b(7), () -> c(new d(6)), () -> c(new d(11)), () -> c(new d(17))};
        for (Runnable r : j) {
            Thread t = new Thread(r);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 10 && e == null; i++) {
            Thread.sleep(100);
        }
        System.out.println(e == null ? "DONE " + f : e);
        System.exit(e == null ? 0 : 1);
    }
}
