// @lock Qm$a
// @type LOCK reentrant=true
// @role lock Qm$a.a
// @role lock Qm$a.c
// @role unlock Qm$a.b
// @lock Qm$d
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Qm$d.a
// @role take Qm$d.b

import java.util.Random;

public class Qm {
    static class a {
        private Thread d;
        private int e;

        synchronized void a() throws InterruptedException {
            Thread f = Thread.currentThread();
            while (d != null && d != f) {
                wait();
            }
            d = f;
            e++;
        }

        synchronized boolean c(int g) throws InterruptedException {
            Thread f = Thread.currentThread();
            if (d != null && d != f) {
                long h = System.currentTimeMillis();
                long i = g;
                do {
                    wait(i);
                    i = g - (System.currentTimeMillis() - h);
                } while (d != null && i > 0);
                if (d != null) {
                    return false;
                }
            }
            d = f;
            e++;
            return true;
        }

        synchronized void b() {
            if (d != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            if (--e == 0) {
                d = null;
                notifyAll();
            }
        }
    }

    private static class b {
        final int a;
        b b;

        b(int a) {
            this.a = a;
        }
    }

    static class d {
        private b c = new b(0);
        private b d = c;

        void a(int e) {
            b f = new b(e);
            synchronized (this) {
                d.b = f;
                d = f;
                notify();
            }
        }

        int b() throws InterruptedException {
            synchronized (this) {
                while (c.b == null) {
                    wait();
                }
                c = c.b;
                return c.a;
            }
        }
    }

    private final a f = new a();
    private final d g = new d();
    private int h;
    private int i;
    private int j;
    private volatile String k;
    private volatile boolean l;

    private void a(int m) throws InterruptedException {
        if (m > 0) {
            f.a();
            try {
                a(m - 1);
            } finally {
                f.b();
            }
        } else {
            int n = h;
            Thread.sleep(2);
            if (h != n) {
                k = "depth";
            }
            h = n + 1;
        }
    }

    private class e extends Thread {
        final int a;
        int b;
        int c;

        e(int a) {
            this.a = a;
            setDaemon(true);
        }

        public void run() {
            Random m = new Random();
            try {
                while (!l) {
                    if (a != 0) {
                        f.a();
                    } else if (!f.c(5)) {
                        c++;
                        continue;
                    }
                    try {
                        a(m.nextInt(3));
                        g.a(++i);
                    } finally {
                        f.b();
                    }
                    b++;
                    Thread.sleep(2 + m.nextInt(6));
                }
            } catch (InterruptedException n) {
                k = "interrupted";
            }
        }
    }

    private class h extends Thread {
        public void run() {
            try {
                for (;;) {
                    int m = g.b();
                    if (m < 0) {
                        return;
                    }
                    if (m != ++j) {
                        k = m + " after " + (j - 1);
                    }
                    Thread.sleep(1);
                }
            } catch (InterruptedException n) {
                k = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long m = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Qm n = new Qm();
        e[] o = new e[4];
        h p = n.new h();
        p.setDaemon(true);
        p.start();
        for (int q = 0; q < o.length; q++) {
            o[q] = n.new e(q);
            o[q].start();
        }
        System.out.println("READY");
        Thread.sleep(m * 1000);
        n.l = true;
        int r = 0;
        for (e q : o) {
            q.join(10000);
            r += q.b;
        }
        n.g.a(-1);
        p.join(60000);
        if (n.k != null || n.h != r || n.j != r) {
            System.out.println(n.k + " " + n.h + " " + n.j + " " + r);
            System.exit(1);
        }
        System.out.println("DONE " + r);
    }
}
