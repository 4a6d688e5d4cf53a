// @lock Rq$a
// @type PRODUCER-CONSUMER+MUTEX capacity=5
// @role put Rq$a.a
// @role take Rq$a.b
// @role enter Rq$a.c
// @role enter Rq$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A dispatcher of requests with five places, whose monitor also guards the accounts that clerks and auditors keep. */
public class Rq {

    static class a {
        private final int[] e = new int[5];
        private int f;
        private int g;
        private int h;
        private final long[] i = {500, 500, 500};

        synchronized void a(int j) throws InterruptedException {
            while (h == e.length) {
                wait();
            }
            e[f] = j;
            f = f + 1 == e.length ? 0 : f + 1;
            h++;
            notifyAll();
        }

        synchronized int b() throws InterruptedException {
            while (h == 0) {
                wait();
            }
            int j = e[g];
            e[g] = 0;
            g = g + 1 == e.length ? 0 : g + 1;
            h--;
            notifyAll();
            return j;
        }

        synchronized void c(int j, int k, int l) throws InterruptedException {
            i[j] -= l;
            Thread.sleep(1);
            i[k] += l;
        }

        synchronized long d() throws InterruptedException {
            long j = 0;
            for (long k : i) {
                j += k;
            }
            Thread.sleep(1);
            return j;
        }
    }

    static volatile String b;
    static final AtomicLong c = new AtomicLong();
    static final a d = new a();

    static void a(int e) throws InterruptedException {
        while (true) {
            int f = ThreadLocalRandom.current().nextInt(1, 9);
            for (int g = 1; g <= f; g++) {
                d.a(g);
            }
            Thread.sleep(e);
        }
    }

    static void b() throws InterruptedException {
        while (true) {
            if (d.b() == 0) {
                b = "nothing taken";
            }
            c.incrementAndGet();
            Thread.sleep(2);
        }
    }

    static void c() throws InterruptedException {
        while (true) {
            d.c(ThreadLocalRandom.current().nextInt(3), ThreadLocalRandom.current().nextInt(3), 5);
            Thread.sleep(4);
        }
    }

    static void d() throws InterruptedException {
        while (true) {
            if (d.d() != 1500) {
                b = "accounts do not add up";
            }
            Thread.sleep(6);
        }
    }

    public static void main(String[] args) throws Exception {
        int e = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int f = 0; f < 8; f++) {
            final int g = f;
            Thread h = new Thread("h" + f) {
                @Override public void run() {
                    try {
                        switch (g / 2) {
                            case 0: a(14 + g); break;
                            case 1: b(); break;
                            case 2: c(); break;
                            default: d(); break;
                        }
                    } catch (InterruptedException i) {
                        b = "interrupted";
                    }
                }
            };
            h.setDaemon(true);
            h.start();
        }
        System.out.println("READY");
        long f = System.currentTimeMillis() + e * 1000L;
        while (System.currentTimeMillis() < f && b == null) {
            Thread.sleep(50);
        }
        System.out.println(b == null ? "DONE " + c.get() : "FAULT " + b);
        System.exit(b == null ? 0 : 1);
    }
}
