// Two repair pits and the pit statistics, on one monitor. (obfuscated)
// @lock Bq$f
// @type SEMAPHORE+MUTEX permits=2
// @role acquire Bq$f.g
// @role acquire Bq$f.h
// @role release Bq$f.i
// @role enter Bq$f.j
// @role enter Bq$f.k
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Bq {
    static final AtomicLong n = new AtomicLong();
    static final AtomicInteger m = new AtomicInteger();

    static final class f {
        private final int a;
        private int b;
        private final Map<String, Integer> c = new HashMap<>();
        private int d;

        f(int a) {
            this.a = a;
        }

        private boolean e() {
            return b < a;
        }

        void g() throws InterruptedException {
            synchronized (this) {
                while (!e()) wait();
                b++;
            }
        }

        boolean h(int l) throws InterruptedException {
            synchronized (this) {
                long x = System.nanoTime() + l * 1000000L;
                while (!e()) {
                    long y = x - System.nanoTime();
                    if (y <= 0) return false;
                    wait(y / 1000000 + 1);
                }
                b++;
                return true;
            }
        }

        void i() {
            synchronized (this) {
                if (b == 0) o("i");
                b--;
                notifyAll();
            }
        }

        void j(String p) throws InterruptedException {
            synchronized (this) {
                c.merge(p, 1, Integer::sum);
                Thread.sleep(1);
                d++;
            }
        }

        int k() throws InterruptedException {
            synchronized (this) {
                int q = 0;
                for (int r : c.values()) q += r;
                Thread.sleep(1);
                if (q != d) o("k");
                return q;
            }
        }
    }

    static void o(String p) {
        System.out.println("BROKEN " + p);
        System.exit(1);
    }

    static final class s implements Runnable {
        private final f t;
        private final int u;

        s(f t, int u) {
            this.t = t;
            this.u = u;
        }

        private void v() throws InterruptedException {
            if (u == 0) {
                if (!t.h(4)) return;
            } else {
                t.g();
            }
            try {
                if (m.incrementAndGet() > 2) o("m");
                Thread.sleep(3 + u % 3);
                m.decrementAndGet();
            } finally {
                t.i();
            }
            n.incrementAndGet();
        }

        @Override public void run() {
            try {
                for (;;) {
                    v();
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                o("s");
            }
        }
    }

    static final class w extends Thread {
        private final f t;
        private final String u;

        w(f t, String u) {
            this.t = t;
            this.u = u;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                int x = 0;
                for (;;) {
                    if (u == null) {
                        int y = t.k();
                        if (y < x) o("w");
                        x = y;
                    } else {
                        t.j(u);
                    }
                    sleep(4);
                    n.incrementAndGet();
                }
            } catch (InterruptedException e) {
                o("w");
            }
        }
    }

    public static void main(String[] z) throws Exception {
        f t = new f(2);
        for (int i = 0; i < 5; i++) {
            Thread x = new Thread(new s(t, i));
            x.setDaemon(true);
            x.start();
        }
        new w(t, null).start();
        new w(t, "x").start();
        new w(t, "y").start();
        System.out.println("READY");
        Thread.sleep((z.length > 0 ? Integer.parseInt(z[0]) : 600) * 1000L);
        System.out.println("DONE " + n.get());
    }
}
