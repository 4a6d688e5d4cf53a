// @lock Tk5$a
// @type LOCK reentrant=false
// @role lock Tk5$a.a
// @role unlock Tk5$a.b
// @lock Tk5$b
// @type LATCH count=4
// @role count-down Tk5$b.a
// @role await Tk5$b.b

import java.util.concurrent.atomic.AtomicLong;

/** A bakery counter: who comes draws a number and waits until it is served; per round every one of four hands reports once. */
public class Tk5 {
    static volatile String c;
    static volatile b d;
    static final AtomicLong e = new AtomicLong();
    static int f;
    static int g;

    static class a {
        private int a;
        private int b;

        void a() throws InterruptedException {
            synchronized (this) {
                int t = a++;
                while (t != b) {
                    wait(200);
                }
            }
        }

        void b() {
            synchronized (this) {
                b++;
                notifyAll();
            }
        }
    }

    static class b {
        private final boolean[] a = new boolean[4];

        synchronized void a(int i) {
            a[i] = true;
            if (c()) {
                notifyAll();
            }
        }

        synchronized void b() throws InterruptedException {
            while (!c()) {
                wait();
            }
        }

        private boolean c() {
            for (boolean x : a) {
                if (!x) {
                    return false;
                }
            }
            return true;
        }
    }

    static class h extends Thread {
        private final a a;
        private final int b;
        volatile long i;

        h(a a, int b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            b l = null;
            try {
                while (true) {
                    a.a();
                    f++;
                    Thread.sleep(2);
                    g++;
                    if (f != g) {
                        c = "two served at once";
                    }
                    a.b();
                    b n = d;
                    if (n != l) {
                        i++;
                        n.a(b);
                        l = n;
                    }
                    Thread.sleep(1);
                }
            } catch (InterruptedException x) {
                c = "interrupted";
            }
        }
    }

    static class j extends Thread {
        private final h[] a;

        j(h[] a) {
            this.a = a;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (long n = 1;; n++) {
                    d.b();
                    for (h x : a) {
                        if (x.i < n) {
                            c = "opened early";
                        }
                    }
                    e.incrementAndGet();
                    d = new b();
                }
            } catch (InterruptedException x) {
                c = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        d = new b();
        a a = new a();
        h[] h = new h[4];
        for (int i = 0; i < 4; i++) {
            h[i] = new h(a, i);
            h[i].start();
        }
        new j(h).start();
        System.out.println("READY");
        long q = System.nanoTime() + s * 1000000000L;
        while (System.nanoTime() < q && c == null) {
            Thread.sleep(30);
        }
        if (c != null) {
            System.out.println(c);
            System.exit(1);
        }
        System.out.println("DONE " + e);
        System.exit(0);
    }
}
