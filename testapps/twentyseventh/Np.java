// @lock Np$a
// @type BARRIER parties=4
// @role arrive Np$a.a
//
// @lock Np$b
// @type LATCH count=4
// @role count-down Np$b.a
// @role await Np$b.b
// @quiet

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

public class Np {
    static final int c = 4;
    static volatile String d;
    static final AtomicLong e = new AtomicLong();

    static final class a {
        private final ThreadLocal<Boolean> b = ThreadLocal.withInitial(() -> Boolean.FALSE);
        private boolean c;
        private int d = Np.c;

        void a() throws InterruptedException {
            boolean f = !b.get();
            b.set(f);
            synchronized (this) {
                d--;
                if (d > 0) {
                    while (c != f) {
                        wait();
                    }
                } else {
                    d = Np.c;
                    c = f;
                    notifyAll();
                }
            }
        }
    }

    static final class b {
        private int c = Np.c;

        synchronized void a() {
            if (c > 0 && --c == 0) {
                notifyAll();
            }
        }

        synchronized void b() throws InterruptedException {
            while (c > 0) {
                wait();
            }
        }
    }

    static final a f = new a();
    static final b g = new b();
    static final int[] h = new int[c * 16];

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < c; i++) {
            final int k = i;
            Thread t = new Thread(() -> {
                Random r = new Random(k);
                g.a();
                try {
                    for (int s = 1; ; s++) {
                        Thread.sleep(1 + r.nextInt(5));
                        h[k * 16] = s;
                        f.a();
                        for (int j = 0; j < c; j++) {
                            if (h[j * 16] != s) {
                                d = "row " + j + " has " + h[j * 16] + " for " + s;
                            }
                        }
                        f.a();
                        e.incrementAndGet();
                    }
                } catch (InterruptedException z) {
                    d = z.toString();
                }
            }, "n" + i);
            t.setDaemon(true);
            t.start();
        }
        g.b();
        System.out.println("READY");
        for (long u = System.nanoTime() + n * 1_000_000_000L; System.nanoTime() < u && d == null;) {
            Thread.sleep(20);
        }
        System.out.println(d != null ? d : "DONE " + e.get());
        System.exit(d != null ? 1 : 0);
    }
}
