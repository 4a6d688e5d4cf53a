// @lock WakeUp$b
// @type LATCH count=1
// @role await WakeUp$b.a
// @role count-down WakeUp$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A plug-in host started again and again: each start has a flag that its users wait for, once up always up. Obfuscated. */
public final class WakeUp {
    static final class b {
        private volatile boolean a;

        void a() {
            if (a) {
                return;
            }
            boolean c = false;
            synchronized (this) {
                while (!a) {
                    try {
                        wait();
                    } catch (InterruptedException d) {
                        c = true;
                    }
                }
            }
            if (c) {
                Thread.currentThread().interrupt();
            }
        }

        void b() {
            synchronized (this) {
                a = true;
                notifyAll();
            }
        }
    }

    static final class e {
        final b f = new b();
        int g;
    }

    static final AtomicReference<e> h = new AtomicReference<>(new e());
    static final AtomicLong i = new AtomicLong();
    static volatile boolean j;

    static void k() {
        e l = null;
        while (!j) {
            e m = h.get();
            if (m == l) {
                n(1);
                continue;
            }
            l = m;
            m.f.a();
            if (m.g != 42) {
                j = true;
            }
            i.incrementAndGet();
        }
    }

    static void n(int o) {
        try {
            Thread.sleep(o);
        } catch (InterruptedException p) {
            j = true;
        }
    }

    public static void main(String[] q) throws InterruptedException {
        long r = System.nanoTime() + 1_000_000_000L * (q.length > 0 ? Long.parseLong(q[0]) : 600);
        for (int s = 0; s < 7; s++) {
            Thread t = new Thread(WakeUp::k);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        while (System.nanoTime() - r < 0) {
            e u = h.get();
            n(ThreadLocalRandom.current().nextInt(2, 6));
            u.g = 42;
            u.f.b();
            n(3);
            h.set(new e());
        }
        if (j) {
            throw new IllegalStateException("used before it was up");
        }
        System.out.println("DONE " + i);
    }
}
