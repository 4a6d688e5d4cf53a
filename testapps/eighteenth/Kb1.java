// @lock Kb1$a
// @type CONDITION
// @role wait Kb1$a.a
// @role wait Kb1$a.b
// @role notify Kb1$a.a
// @role notify Kb1$a.b
// @lock Kb1$b
// @type PRODUCER-CONSUMER capacity=1
// @role put Kb1$b.a
// @role take Kb1$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Kit assembly (the smokers): two of three parts lie on the bench, the fitter who owns the third takes both. */
public class Kb1 {
    static final AtomicLong c = new AtomicLong();
    static volatile String d;

    static class a {
        private int m;

        synchronized void a(int x) throws InterruptedException {
            while (m != 0) {
                wait();
            }
            m = x;
            notifyAll();
        }

        synchronized void b(int own) throws InterruptedException {
            while (m == 0 || (m | own) != 7 || (m & own) != 0) {
                wait();
            }
            m = 0;
            notifyAll();
        }
    }

    static class b {
        private int[] v;

        void a(int[] x) throws InterruptedException {
            synchronized (this) {
                while (v != null) {
                    wait();
                }
                v = x;
                notifyAll();
            }
        }

        int[] b() throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    if (v != null) {
                        int[] r = v;
                        v = null;
                        notifyAll();
                        return r;
                    }
                    wait();
                }
            }
        }
    }

    static class e implements Runnable {
        final int k;
        final int o;
        final a a;
        final b b;

        e(int k, int o, a a, b b) {
            this.k = k;
            this.o = o;
            this.a = a;
            this.b = b;
        }

        public void run() {
            try {
                int n = 0;
                long last = 0;
                while (true) {
                    if (k == 0) {
                        int t = 7 & ~(1 << ThreadLocalRandom.current().nextInt(3));
                        a.a(t);
                        Thread.sleep(1);
                    } else if (k == 1) {
                        a.b(o);
                        b.a(new int[] {o, ++n});
                        Thread.sleep(1);
                    } else {
                        int[] r = b.b();
                        if (r[0] != 1 && r[0] != 2 && r[0] != 4 || r[1] <= 0) {
                            d = "bad kit";
                        }
                        last += r[1];
                        if (last < 0) {
                            last = 0;
                        }
                        c.incrementAndGet();
                        Thread.sleep(c.get() / 100 % 2 == 0 ? 1 : 6);
                    }
                }
            } catch (InterruptedException x) {
                d = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a a = new a();
        b b = new b();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(new e(i == 0 ? 0 : i == 4 ? 2 : 1, 1 << (i - 1 & 3), a, b));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long o = 0;
        long q = System.nanoTime() + s * 1000000000L;
        while (System.nanoTime() < q && d == null) {
            Thread.sleep(500);
            if (o == c.get()) {
                d = "stalled";
            }
            o = c.get();
        }
        if (d != null) {
            System.out.println(d);
            System.exit(1);
        }
        System.out.println("DONE " + c);
    }
}
