// @lock Yc$a
// @type CONDITION form=resettable-event
// @role wait Yc$a.b
// @role notify Yc$a.c

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Background workers that stand still while the line is down; it goes down and comes up again all the time. Obfuscated. */
public final class Yc {
    static final class a {
        private boolean a;
        private int e;

        int b() throws InterruptedException {
            synchronized (this) {
                while (!a) {
                    wait();
                }
                return e;
            }
        }

        void c() {
            synchronized (this) {
                if (!a) {
                    a = true;
                    e++;
                    notifyAll();
                }
            }
        }

        void d() {
            synchronized (this) {
                a = false;
            }
        }
    }

    static final AtomicLong f = new AtomicLong();
    static final AtomicInteger g = new AtomicInteger();
    static volatile boolean h;

    static void i(a j) {
        try {
            for (int k = 0;;) {
                int l = j.b();
                if (l < k || l > g.get()) {
                    h = true;
                }
                k = l;
                f.incrementAndGet();
                Thread.sleep(2);
            }
        } catch (InterruptedException m) {
            Thread.currentThread().interrupt();
        }
    }

    static void n(a j) {
        try {
            for (;;) {
                g.incrementAndGet();
                j.c();
                Thread.sleep(5);
                j.d();
                Thread.sleep(8);
            }
        } catch (InterruptedException m) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a j = new a();
        for (int p = 0; p < 6; p++) {
            Thread q = new Thread(p == 3 ? () -> n(j) : () -> i(j));
            q.setDaemon(true);
            q.start();
        }
        System.out.println("READY");
        Thread.sleep(o * 1000);
        if (h) {
            throw new IllegalStateException("worked while the line was down");
        }
        System.out.println("DONE " + f);
    }
}
