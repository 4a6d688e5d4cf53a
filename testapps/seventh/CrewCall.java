// @lock CrewCall$a
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put CrewCall$a.d
// @role take CrewCall$a.e

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Work goes straight to whoever is idle, last idle first, each on a monitor of its own; else it is put aside. Obfuscated. */
public final class CrewCall {
    static final class a {
        private final ArrayDeque<Runnable> b = new ArrayDeque<>();
        private final ArrayDeque<c> f = new ArrayDeque<>();

        void d(Runnable g) {
            c h;
            synchronized (this) {
                h = f.pollFirst();
                if (h == null) {
                    b.addLast(g);
                    return;
                }
            }
            synchronized (h) {
                h.i = g;
                h.notify();
            }
        }

        Runnable e(c j) throws InterruptedException {
            synchronized (this) {
                Runnable k = b.pollFirst();
                if (k != null) {
                    return k;
                }
                f.addFirst(j);
            }
            synchronized (j) {
                while (j.i == null) {
                    j.wait();
                }
                Runnable l = j.i;
                j.i = null;
                return l;
            }
        }
    }

    static final class c {
        private Runnable i;
    }

    private static final AtomicInteger m = new AtomicInteger();
    private static final AtomicInteger n = new AtomicInteger();
    private static volatile boolean o;
    private static volatile boolean p;

    private static void q(a r) {
        try {
            for (c s = new c();;) {
                r.e(s).run();
                Thread.sleep(1);
            }
        } catch (InterruptedException t) {
            p = true;
        }
    }

    private static void u(a v) {
        try {
            while (!o) {
                for (int w = ThreadLocalRandom.current().nextInt(1, 4); w > 0; w--) {
                    m.incrementAndGet();
                    v.d(n::incrementAndGet);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            }
        } catch (InterruptedException x) {
            p = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long y = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a z = new a();
        for (int i = 0; i < 4; i++) {
            Thread j = new Thread(() -> q(z));
            j.setDaemon(true);
            j.start();
        }
        Thread[] k = {new Thread(() -> u(z)), new Thread(() -> u(z)), new Thread(() -> u(z))};
        for (Thread l : k) {
            l.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(y * 1000);
        o = true;
        for (Thread l : k) {
            l.join();
        }
        for (int i = 0; i < 5_000 && n.get() < m.get(); i++) {
            Thread.sleep(1);
        }
        if (p || n.get() != m.get()) {
            throw new IllegalStateException(m + " in, " + n + " out");
        }
        System.out.println("DONE " + n);
    }
}
