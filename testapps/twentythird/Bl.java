// @lock Bl$a
// @type BARRIER parties=2 form=exchanger
// @role arrive Bl$a.a
//
// @lock Bl$b
// @type PRODUCER-CONSUMER capacity=64
// @role put Bl$b.a
// @role take Bl$b.b
//
// @lock Bl$c
// @type LOCK reentrant=false
// @role lock Bl$c.a
// @role unlock Bl$c.b
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Two that swap what they have, a pipe of bytes, and a lock that hardly anybody wants. Obfuscated. */
public class Bl {
    static volatile String u;
    static final AtomicLong v = new AtomicLong();

    interface S {
        void run() throws InterruptedException;
    }

    static void y(boolean a, String b) {
        if (!a && u == null) {
            u = b;
        }
    }

    static void z(int a, int b) throws InterruptedException {
        Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1));
    }

    static void x(String a, S s) {
        Thread t = new Thread(() -> {
            try {
                while (u == null) {
                    s.run();
                    v.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                y(false, a + ": " + e);
            }
        }, a);
        t.setDaemon(true);
        t.start();
    }

    static void w(String[] a) throws InterruptedException {
        System.out.println("READY");
        long b = System.nanoTime() + (a.length > 0 ? Long.parseLong(a[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < b && u == null) {
            Thread.sleep(40);
        }
        y(v.get() > 0, "nothing was done");
        if (u != null) {
            System.out.println("BROKEN " + u);
            System.exit(1);
        }
        System.out.println("DONE " + v.get());
        System.exit(0);
    }
    static final class a {
        private Object a;
        private Object b;
        private int c;

        synchronized Object a(Object d) throws InterruptedException {
            while (c == 2) {
                wait();
            }
            Object e;
            if (c == 0) {
                a = d;
                c = 1;
                while (c != 2) {
                    wait();
                }
                e = b;
                a = b = null;
                c = 0;
            } else {
                e = a;
                b = d;
                c = 2;
            }
            notifyAll();
            return e;
        }
    }

    static final class b {
        private final byte[] a = new byte[64];
        private int b;
        private int c;

        synchronized void a(byte[] d) throws InterruptedException {
            int e = 0;
            while (e < d.length) {
                while (c == a.length) {
                    wait();
                }
                while (e < d.length && c < a.length) {
                    a[(b + c++) & 63] = d[e++];
                }
                notifyAll();
            }
        }

        synchronized int b(byte[] d) throws InterruptedException {
            while (c == 0) {
                wait();
            }
            int e = 0;
            while (e < d.length && c > 0) {
                d[e++] = a[b];
                b = b + 1 & 63;
                c--;
            }
            notifyAll();
            return e;
        }
    }

    static final class c {
        private Thread a;

        synchronized void a() throws InterruptedException {
            while (a != null) {
                wait();
            }
            a = Thread.currentThread();
        }

        synchronized void b() {
            if (a != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            a = null;
            notify();
        }
    }

    public static void main(String[] a) throws InterruptedException {
        for (int b = 0; b < 2; b++) {
            a c = new a();
            for (int d = 0; d < 2; d++) {
                int e = d;
                int[] f = new int[1];
                x("a" + b + d, () -> {
                    z(2, 9);
                    int[] g = (int[]) c.a(new int[] {e, ++f[0]});
                    y(g[0] == 1 - e && g[1] == f[0], "b");
                });
            }
        }
        b b = new b();
        byte[] c = new byte[1];
        x("b", () -> {
            byte[] d = new byte[ThreadLocalRandom.current().nextInt(10, 90)];
            for (int e = 0; e < d.length; e++) {
                d[e] = c[0]++;
            }
            b.a(d);
            z(1, 12);
        });
        byte[] d = new byte[1];
        x("c", () -> {
            byte[] e = new byte[32];
            int f = b.b(e);
            for (int g = 0; g < f; g++) {
                y(e[g] == d[0]++, "c");
            }
            z(1, 4);
        });
        c e = new c();
        int[] f = new int[1];
        for (int g = 0; g < 2; g++) {
            x("d" + g, () -> {
                z(200, 400);
                e.a();
                y(++f[0] == 1, "d");
                f[0]--;
                e.b();
            });
        }
        w(a);
    }
}
