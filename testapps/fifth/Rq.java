// @lock Rq$a
// @type CONDITION form=resettable-event
// @role wait Rq$a.b
// @role notify Rq$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Downloads that a user pauses and resumes, obfuscated: every download passes the same point and stops there while it is paused. */
public final class Rq {
    static final class a {
        private Boolean e = Boolean.TRUE;

        void b() throws InterruptedException {
            synchronized (this) {
                while (!e) {
                    wait();
                }
            }
        }

        void c() {
            synchronized (this) {
                if (!e) {
                    e = Boolean.TRUE;
                    notifyAll();
                }
            }
        }

        void d() {
            synchronized (this) {
                e = Boolean.FALSE;
            }
        }
    }

    static final a f = new a();
    static final AtomicLong g = new AtomicLong();
    static volatile boolean h;
    static volatile boolean i;

    static void j() throws InterruptedException {
        f.b();
        g.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
    }

    static void k() throws InterruptedException {
        f.d();
        Thread.sleep(5);
        long x = g.get();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        long y = g.get();
        if (y - x > 5) {
            h = true;
        }
        f.c();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int n = 0; n < 6; n++) {
            boolean w = n == 0;
            Thread t = new Thread(() -> {
                try {
                    while (!h) {
                        if (w) {
                            k();
                        } else {
                            j();
                        }
                    }
                } catch (InterruptedException z) {
                    i = true;
                }
            }, "r" + n);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (h || i) {
            throw new IllegalStateException("a download went on while paused");
        }
        System.out.println("DONE " + g);
    }
}
