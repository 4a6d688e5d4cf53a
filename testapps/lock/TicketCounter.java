// @lock TicketCounter$a
// @type LOCK reentrant=false
// @role lock TicketCounter$a.a
// @role unlock TicketCounter$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A counter where one draws a number and is served in turn: a fair lock. Obfuscated. */
public final class TicketCounter {
    static final class a {
        private int c;
        private int d;

        synchronized void a() throws InterruptedException {
            int e = c++;
            while (e != d) {
                wait();
            }
        }

        synchronized void b() {
            d++;
            notifyAll();
        }
    }

    private static int f;
    private static volatile boolean g;
    private static final AtomicLong h = new AtomicLong();

    static final class i implements Runnable {
        private final a j;

        i(a k) {
            j = k;
        }

        @Override
        public void run() {
            try {
                while (!g) {
                    j.a();
                    try {
                        int l = ++f;
                        Thread.sleep(1);
                        if (f != l) {
                            g = true;
                        }
                    } finally {
                        j.b();
                    }
                    h.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                }
            } catch (InterruptedException m) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long n = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a o = new a();
        for (int p = 0; p < 5; p++) {
            Thread q = new Thread(new i(o));
            q.setDaemon(true);
            q.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(n * 1000);
        if (g) {
            throw new IllegalStateException("two were served at once");
        }
        System.out.println("DONE " + h);
    }
}
