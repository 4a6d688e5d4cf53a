// @lock SceneGraph$a
// @type LOCK+CONDITION reentrant=false
// @role lock SceneGraph$a.a
// @role unlock SceneGraph$a.b
// @role wait SceneGraph$a.c
// @role notify SceneGraph$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A scene edited by several tools under a lock; painters do not take that lock, they wait on the same monitor for the
 * number of the next committed frame. Obfuscated.
 */
public final class SceneGraph {
    static final class a {
        private boolean e;
        private int f;

        synchronized void a() throws InterruptedException {
            while (e) {
                wait();
            }
            e = true;
        }

        synchronized void b() {
            e = false;
            notifyAll();
        }

        synchronized int c(int g) throws InterruptedException {
            while (f == g) {
                wait();
            }
            return f;
        }

        synchronized void d() {
            f++;
            notifyAll();
        }
    }

    private static final a h = new a();
    private static final AtomicLong i = new AtomicLong();
    private static int j;
    private static volatile boolean k;

    private static void l() throws InterruptedException {
        h.a();
        try {
            int m = ++j;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            if (m != j) {
                k = true;
            }
        } finally {
            h.b();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
    }

    private static void n() throws InterruptedException {
        int o = 0;
        while (!k) {
            int p = h.c(o);
            if (p <= o) {
                k = true;
            }
            o = p;
            i.incrementAndGet();
            Thread.sleep(1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long q = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int r = 0; r < 6; r++) {
            int s = r;
            Thread t = new Thread(() -> {
                try {
                    while (!k) {
                        if (s < 3) {
                            l();
                        } else if (s < 5) {
                            n();
                        } else {
                            Thread.sleep(6);
                            h.d();
                        }
                    }
                } catch (InterruptedException u) {
                    Thread.currentThread().interrupt();
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(q * 1000);
        if (k) {
            throw new IllegalStateException("two tools edited at once, or a frame was painted twice");
        }
        System.out.println("DONE " + i);
    }
}
