// @lock Qh$a
// @type SEMAPHORE permits=4
// @role acquire Qh$a.a
// @role acquire Qh$a.c
// @role release Qh$a.b
// @lock Qh$b
// @type CONDITION
// @role wait Qh$b.a
// @role notify Qh$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

public final class Qh {
    // one bit for each channel that is free
    static final class a {
        private int d = 0xf;

        synchronized int a() throws InterruptedException {
            while (d == 0) {
                wait();
            }
            return d();
        }

        synchronized int c(long e) throws InterruptedException {
            long f = System.nanoTime() + e * 1000000L;
            for (;;) {
                if (d != 0) {
                    return d();
                }
                long g = (f - System.nanoTime()) / 1000000L;
                if (g <= 0) {
                    return -1;
                }
                wait(g);
            }
        }

        private int d() {
            int e = d & -d;
            d ^= e;
            return Integer.numberOfTrailingZeros(e);
        }

        synchronized void b(int e) {
            if ((d & 1 << e) != 0) {
                throw new IllegalStateException("free " + e);
            }
            d |= 1 << e;
            notifyAll();
        }
    }

    // settings with a version; those who know an old one wait for another
    static final class b {
        private long c;
        private String d = "0";

        synchronized long a(long e, StringBuilder f) throws InterruptedException {
            while (c == e) {
                wait();
            }
            f.setLength(0);
            f.append(d);
            return c;
        }

        synchronized void b() {
            d = String.valueOf(++c);
            notifyAll();
        }
    }

    private final a c = new a();
    private final b d = new b();
    private final AtomicIntegerArray e = new AtomicIntegerArray(4);
    private volatile RuntimeException f;
    private volatile int g;

    private void a(int h) {
        ThreadLocalRandom i = ThreadLocalRandom.current();
        try {
            for (;;) {
                int j = h == 0 ? c.c(4) : c.a();
                if (j >= 0) {
                    if (e.incrementAndGet(j) != 1) {
                        throw new IllegalStateException("shared " + j);
                    }
                    Thread.sleep(i.nextInt(3, 9));
                    e.decrementAndGet(j);
                    c.b(j);
                    if (h == 1) {
                        g++;
                    }
                }
                Thread.sleep(i.nextInt(1, 5));
            }
        } catch (InterruptedException j) {
            return;
        } catch (RuntimeException j) {
            f = j;
        }
    }

    private void b(int h) {
        StringBuilder i = new StringBuilder();
        long j = 0;
        try {
            while (h > 0) {
                long k = d.a(j, i);
                if (k <= j || !i.toString().equals(String.valueOf(k))) {
                    throw new IllegalStateException(k + " " + i);
                }
                j = k;
                Thread.sleep(h);
            }
            for (;;) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
                d.b();
            }
        } catch (InterruptedException k) {
            return;
        } catch (RuntimeException k) {
            f = k;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long h = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Qh i = new Qh();
        Thread[] j = new Thread[11];
        for (int k = 0; k < j.length; k++) {
            int l = k;
            j[k] = new Thread(k < 7 ? () -> i.a(l) : () -> i.b(2 * (l - 7)));
            j[k].setDaemon(true);
            j[k].start();
        }
        System.out.println("READY");
        Thread.sleep(h * 1000);
        for (Thread k : j) {
            k.interrupt();
        }
        for (Thread k : j) {
            k.join(10_000);
        }
        if (i.f != null) {
            i.f.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + i.g);
    }
}
