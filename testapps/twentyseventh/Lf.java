// @lock Lf$b
// @type LOCK+CONDITION reentrant=false
// @role lock Lf$a.a
// @role unlock Lf$a.b
// @role wait Lf$a.c
// @role notify Lf$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Lf {
    static volatile String b;
    static final AtomicLong c = new AtomicLong();

    static class a {
        private Thread e;
        private int f;

        synchronized void a() throws InterruptedException {
            if (e == Thread.currentThread()) {
                throw new IllegalStateException();
            }
            while (e != null) {
                wait();
            }
            e = Thread.currentThread();
        }

        synchronized void b() {
            if (e != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            e = null;
            notifyAll();
        }

        synchronized int c(int g) throws InterruptedException {
            while (f <= g) {
                wait();
            }
            return f;
        }

        synchronized void d() {
            f++;
            notifyAll();
        }
    }

    static final class b extends a {
        private long g;
        private long h;

        void e(long i) throws InterruptedException {
            a();
            try {
                g += i;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                h -= i;
                if (g + h != 0) {
                    b = "torn";
                }
            } finally {
                b();
            }
            d();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        b d = new b();
        for (int i = 0; i < 5; i++) {
            final int k = i;
            Thread t = new Thread(() -> {
                int r = 0;
                try {
                    for (;;) {
                        if (k < 3) {
                            d.e(k + 1);
                            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
                        } else {
                            int s = d.c(r);
                            if (s <= r) {
                                b = "went back";
                            }
                            r = s;
                        }
                        c.incrementAndGet();
                    }
                } catch (InterruptedException | RuntimeException z) {
                    b = z.toString();
                }
            }, "l" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (long u = System.nanoTime() + n * 1_000_000_000L; System.nanoTime() < u && b == null;) {
            Thread.sleep(20);
        }
        System.out.println(b != null ? b : "DONE " + c.get());
        System.exit(b != null ? 1 : 0);
    }
}
