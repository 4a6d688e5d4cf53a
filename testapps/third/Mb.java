// @lock Mb$b
// @type BARRIER parties=4
// @role arrive Mb.a

import java.util.concurrent.ThreadLocalRandom;

public final class Mb {
    static final class b {
        int a;
        long b;
    }

    private final b c = new b();
    private final long[] d = new long[4];
    private volatile boolean e;

    void a(int f) throws InterruptedException {
        synchronized (c) {
            long g = c.b;
            c.a |= 1 << f;
            if (c.a != 15) {
                while (true) {
                    c.wait(1000);
                    if (c.b != g) {
                        break;
                    }
                }
            } else {
                c.a = 0;
                c.b = g + 1;
                c.notifyAll();
            }
        }
    }

    void b(int f) {
        try {
            for (long h = 0; !e; h++) {
                int i = 1;
                for (int j = ThreadLocalRandom.current().nextInt(20_000); j > 0; j--) {
                    i = i * 31 + j;
                }
                Thread.sleep(1 + (i & 7));
                d[f] = h;
                a(f);
                for (long k : d) {
                    if (k != h) {
                        e = true;
                    }
                }
                a(f);
            }
        } catch (InterruptedException l) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long m = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Mb n = new Mb();
        Thread[] o = new Thread[4];
        for (int p = 0; p < 4; p++) {
            int q = p;
            o[p] = new Thread(() -> n.b(q));
            o[p].setDaemon(true);
            o[p].start();
        }
        System.out.println("READY");
        Thread.sleep(m * 1000);
        for (Thread r : o) {
            r.interrupt();
        }
        for (Thread r : o) {
            r.join(5_000);
        }
        if (n.e || n.d[0] == 0) {
            throw new IllegalStateException("e");
        }
        System.out.println("DONE " + n.d[0]);
    }
}
