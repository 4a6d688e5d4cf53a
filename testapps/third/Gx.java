// @lock Gx$a
// @type LATCH count=4
// @role await Gx$a.b
// @role count-down Gx$a.a

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Gx {
    static final class a {
        private int c = 15;

        synchronized void a(int d) {
            c &= ~(1 << d);
            if (c == 0) {
                notifyAll();
            }
        }

        synchronized boolean b(long d) throws InterruptedException {
            for (long e = System.currentTimeMillis(), f = d; c != 0; f = d - (System.currentTimeMillis() - e)) {
                if (f <= 0) {
                    return false;
                }
                wait(f);
            }
            return true;
        }
    }

    static final class b {
        final a g = new a();
        final int[] h = new int[4];
    }

    static final List<LinkedBlockingQueue<b>> i = new ArrayList<>();
    static final AtomicLong j = new AtomicLong();
    static volatile boolean k;
    static volatile boolean l;

    static void a(int m) {
        try {
            for (;;) {
                b n = i.get(m).take();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                n.h[m] = m + 1;
                n.g.a(m);
            }
        } catch (InterruptedException n) {
            Thread.currentThread().interrupt();
        }
    }

    static void b() {
        try {
            while (!k) {
                b m = new b();
                for (LinkedBlockingQueue<b> n : i) {
                    n.add(m);
                }
                if (!m.g.b(3_000) || m.h[0] + m.h[1] + m.h[2] + m.h[3] != 10) {
                    l = true;
                }
                j.incrementAndGet();
                Thread.sleep(3);
            }
        } catch (InterruptedException m) {
            l = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long m = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int n = 0; n < 4; n++) {
            int o = n;
            i.add(new LinkedBlockingQueue<>());
            Thread p = new Thread(() -> a(o));
            p.setDaemon(true);
            p.start();
        }
        Thread[] q = {new Thread(Gx::b), new Thread(Gx::b)};
        for (Thread p : q) {
            p.setDaemon(true);
            p.start();
        }
        System.out.println("READY");
        Thread.sleep(m * 1000);
        k = true;
        for (Thread p : q) {
            p.join(5_000);
        }
        if (l || j.get() == 0) {
            throw new IllegalStateException("l");
        }
        System.out.println("DONE " + j);
    }
}
