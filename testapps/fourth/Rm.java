// @lock Rm$a
// @type SEMAPHORE permits=3
// @role acquire Rm$a.b
// @role release Rm$a.c

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Three lanes, given to those who come in the order in which they came; each waits on a slip of paper of his own. Obfuscated. */
public final class Rm {
    static final class d {
        private boolean a;

        synchronized void e() {
            boolean f = false;
            while (!a) {
                try {
                    wait();
                } catch (InterruptedException g) {
                    f = true;
                }
            }
            if (f) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized void f() {
            a = true;
            notify();
        }
    }

    static final class a {
        private final ArrayDeque<d> d = new ArrayDeque<>();
        private int e = 3;

        void b() {
            d f;
            synchronized (this) {
                if (e > 0) {
                    e--;
                    return;
                }
                f = new d();
                d.addLast(f);
            }
            f.e();
        }

        void c() {
            synchronized (this) {
                d f = d.pollFirst();
                if (f == null) {
                    e++;
                } else {
                    f.f();
                }
            }
        }
    }

    static final AtomicInteger g = new AtomicInteger();
    static final AtomicLong h = new AtomicLong();
    static final AtomicLong i = new AtomicLong();

    static void j(a k) {
        try {
            for (;;) {
                k.b();
                try {
                    if (g.incrementAndGet() > 3) {
                        i.incrementAndGet();
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                    g.decrementAndGet();
                    h.incrementAndGet();
                } finally {
                    k.c();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            }
        } catch (InterruptedException l) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long m = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a k = new a();
        for (int n = 0; n < 7; n++) {
            Thread o = new Thread(() -> j(k));
            o.setDaemon(true);
            o.start();
        }
        System.out.println("READY");
        Thread.sleep(m * 1000);
        if (i.get() > 0) {
            throw new IllegalStateException(i + " times a fourth on the track");
        }
        System.out.println("DONE " + h);
    }
}
