// A tray of seven forms between two offices; the day's figures are kept behind the same monitor. (obfuscated)
// @lock Hm$q
// @type PRODUCER-CONSUMER+MUTEX capacity=7
// @role put Hm$q.x1
// @role take Hm$q.x2
// @role take Hm$q.x3
// @role enter Hm$q.x4
// @role enter Hm$q.x5
import java.util.concurrent.atomic.AtomicLong;

public class Hm {
    static final AtomicLong z = new AtomicLong();

    static class p {
        int a1, a2;

        void y1(int n) throws InterruptedException {
            a1 += n;
            Thread.sleep(1);
            a2 += n;
        }
    }

    static class q extends p {
        private final int[] c1 = new int[7];
        private int c2;

        synchronized void x1(int v) throws InterruptedException {
            for (;;) {
                if (c2 < c1.length) {
                    c1[c2++] = v;
                    notifyAll();
                    return;
                }
                wait();
            }
        }

        synchronized int x2() throws InterruptedException {
            while (c2 == 0) wait();
            return y2();
        }

        synchronized int x3(long ms) throws InterruptedException {
            if (c2 == 0) {
                long t = System.currentTimeMillis() + ms;
                do {
                    long u = t - System.currentTimeMillis();
                    if (u <= 0) return -1;
                    wait(u);
                } while (c2 == 0);
            }
            return y2();
        }

        private int y2() {
            notifyAll();
            return c1[--c2];
        }

        synchronized void x4(int n) throws InterruptedException {
            y1(n);
        }

        synchronized int x5() throws InterruptedException {
            if (a1 != a2) y3("x5");
            Thread.sleep(1);
            return a1;
        }
    }

    static void y3(String s) {
        System.out.println("BROKEN " + s);
        System.exit(1);
    }

    interface r {
        void y4() throws InterruptedException;
    }

    static void y5(r s) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    s.y4();
                    z.incrementAndGet();
                }
            } catch (InterruptedException e) {
                y3("y5");
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] b) throws Exception {
        q k = new q();
        AtomicLong i = new AtomicLong(), o = new AtomicLong();
        for (int j = 0; j < 2; j++) y5(() -> {
            for (int v = 1; v < 17; v++) {
                i.addAndGet(v);
                k.x1(v);
            }
            Thread.sleep(36);
        });
        y5(() -> {
            int v = k.x2();
            o.addAndGet(v);
            Thread.sleep(1);
        });
        y5(() -> {
            int v = k.x3(20);
            if (v == 0 || v > 16) y3("v");
            if (v > 0) o.addAndGet(v);
            Thread.sleep(1);
        });
        for (int j = 0; j < 2; j++) {
            int n = j + 1;
            y5(() -> {
                k.x4(n);
                Thread.sleep(6);
            });
        }
        int[] l = new int[1];
        y5(() -> {
            int v = k.x5();
            if (v < l[0]) y3("l");
            l[0] = v;
            Thread.sleep(7);
        });
        System.out.println("READY");
        Thread.sleep((b.length > 0 ? Integer.parseInt(b[0]) : 600) * 1000L);
        if (Math.abs(i.get() - o.get()) > 400) y3("sum");
        System.out.println("DONE " + z.get());
    }
}
