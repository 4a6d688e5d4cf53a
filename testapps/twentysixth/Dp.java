// @lock Dp$a
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Dp$a.a
// @role take Dp$a.b
//
// @lock Dp$h
// @type DELAY
// @role delay Dp$c.a
//
// @lock Dp$d
// @type JOIN
// @role join Dp.a

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A dispatcher: orders by urgency, clocks that issue them, and short-lived executors whose end is awaited. */
public class Dp {

    static final class a {
        private final PriorityQueue<int[]> c = new PriorityQueue<int[]>(11, new Comparator<int[]>() {
            @Override public int compare(int[] d, int[] e) {
                return Integer.compare(d[0], e[0]);
            }
        });

        void a(int d, int e) {
            int[] f = {d, e};
            synchronized (this) {
                c.offer(f);
                notify();
            }
        }

        int[] b() throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    int[] d = c.poll();
                    if (d != null) {
                        return d;
                    }
                    wait();
                }
            }
        }
    }

    static final class c extends Thread {
        private final int e;

        c(int e) {
            this.e = e;
            setDaemon(true);
        }

        private void a(int f) throws InterruptedException {
            synchronized (g) {
                g.b++;
                g.wait(f);
            }
        }

        private final h g = new h();

        @Override public void run() {
            try {
                for (int f = 0; true; f++) {
                    a(e);
                    i.a(ThreadLocalRandom.current().nextInt(10), f);
                    j.incrementAndGet();
                }
            } catch (InterruptedException f) {
                b = "interrupted";
            }
        }
    }

    static final class h {
        long b;
    }

    static final class d extends Thread {
        private final int[] e;
        private int f = -1;

        d(int[] e) {
            this.e = e;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                Thread.sleep(1 + e[0] / 3);
                f = e[0] + e[1];
            } catch (InterruptedException g) {
                b = "interrupted";
            }
        }
    }

    static volatile String b;
    static final a i = new a();
    static final AtomicLong j = new AtomicLong();
    static final AtomicLong k = new AtomicLong();

    static int a(d e) throws InterruptedException {
        synchronized (e) {
            while (e.isAlive()) {
                e.wait();
            }
        }
        return e.f;
    }

    static void b() throws InterruptedException {
        while (true) {
            int[] e = i.b();
            d f = new d(e);
            f.start();
            if (a(f) != e[0] + e[1]) {
                b = "not done: " + e[1];
            }
            if (k.incrementAndGet() > j.get() + 10) {
                b = "done more than ordered";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int e = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        new c(11).start();
        new c(14).start();
        new c(19).start();
        for (int f = 0; f < 2; f++) {
            Thread g = new Thread("g" + f) {
                @Override public void run() {
                    try {
                        b();
                    } catch (InterruptedException h) {
                        b = "interrupted";
                    }
                }
            };
            g.setDaemon(true);
            g.start();
        }
        System.out.println("READY");
        long f = System.currentTimeMillis() + e * 1000L;
        while (System.currentTimeMillis() < f && b == null) {
            Thread.sleep(50);
        }
        System.out.println(b == null ? "DONE " + k.get() : "FAULT " + b);
        System.exit(b == null ? 0 : 1);
    }
}
