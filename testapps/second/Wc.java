// @lock Wc$b
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Wc$b.d
// @role write-lock Wc$b.d
// @role read-unlock Wc$b.e
// @role write-unlock Wc$b.e

import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Table locks with a mode; one method locks in either mode, one unlocks. Obfuscated. */
public class Wc {
    enum a { N, S, X }

    static class b {
        private a f = a.N;
        private int g;

        private boolean c(a h) {
            switch (f) {
                case N:
                    return true;
                case S:
                    return h == a.S;
                default:
                    return false;
            }
        }

        synchronized void d(a h) throws InterruptedException {
            while (!c(h)) {
                wait();
            }
            f = h;
            g++;
        }

        synchronized void e() {
            if (--g == 0) {
                f = a.N;
                notifyAll();
            }
        }
    }

    static volatile boolean i;
    static final AtomicIntegerArray j = new AtomicIntegerArray(5);

    static void k(b l, int m, Random n) throws InterruptedException {
        boolean o = n.nextInt(4) == 0;
        l.d(o ? a.X : a.S);
        try {
            int p = o ? j.addAndGet(m, 1000) : j.incrementAndGet(m);
            if (o ? p != 1000 : p >= 1000) {
                i = true;
            }
            Thread.sleep(n.nextInt(4));
            j.addAndGet(m, o ? -1000 : -1);
        } finally {
            l.e();
        }
        j.incrementAndGet(4);
        Thread.sleep(2 + n.nextInt(6));
    }

    public static void main(String[] q) throws InterruptedException {
        long r = q.length > 0 ? Long.parseLong(q[0]) : 600;
        final b[] s = {new b(), new b()};
        for (int t = 0; t < 6; t++) {
            final Random u = new Random(t);
            Thread v = new Thread(() -> {
                try {
                    while (true) {
                        int w = u.nextInt(2);
                        k(s[w], w, u);
                    }
                } catch (InterruptedException w) {
                    i = true;
                }
            });
            v.setDaemon(true);
            v.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(r * 1000);
        if (i) {
            System.out.println("modes mixed");
            System.exit(1);
        }
        System.out.println("DONE " + j.get(4));
    }
}
