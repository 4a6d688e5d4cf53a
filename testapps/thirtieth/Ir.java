// @lock Ir$a
// @type READ-WRITE+MUTEX preference=writers
// @role read-lock Ir$a.a
// @role read-unlock Ir$a.b
// @role write-lock Ir$a.c
// @role write-unlock Ir$a.d
// @role enter Ir$a.e
// @role enter Ir$a.f

// @lock Ir$b
// @type PRODUCER-CONSUMER capacity=8
// @role put Ir$b.a
// @role take Ir$b.b

import java.util.Random;

/** Stock levels behind a read-write lock whose monitor also keeps the list of complaints; corrections come through a bounded chain. Obfuscated. */
public class Ir {
    static class a {
        private int a;
        private int b;
        private boolean c;
        private final StringBuffer d = new StringBuffer();
        private int e;

        synchronized void a() throws InterruptedException {
            while (c || b != 0) {
                wait();
            }
            ++a;
        }

        synchronized void b() {
            if (--a == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            ++b;
            while (c || a != 0) {
                wait();
            }
            --b;
            c = true;
        }

        synchronized void d() {
            c = false;
            notifyAll();
        }

        synchronized void e(String g) throws InterruptedException {
            d.append(g);
            Thread.sleep(1);
            e += g.length();
        }

        synchronized boolean f() {
            boolean g = d.length() == e;
            d.setLength(0);
            e = 0;
            return g;
        }
    }

    static class c {
        final int a;
        c b;

        c(int d) {
            a = d;
        }
    }

    static class b {
        private c a;
        private c b;
        private int c;

        synchronized void a(int d) throws InterruptedException {
            while (c >= 8) {
                wait();
            }
            c e = new c(d);
            if (a == null) {
                a = e;
            } else {
                b.b = e;
            }
            b = e;
            if (c++ == 0) {
                notifyAll();
            }
        }

        synchronized int b() throws InterruptedException {
            while (a == null) {
                wait();
            }
            int d = a.a;
            a = a.b;
            if (c-- == 8) {
                notifyAll();
            }
            return d;
        }
    }

    static final a d = new a();
    static final b e = new b();
    static int f;
    static int g;
    static volatile boolean h;
    static volatile long i;

    static class d extends Thread {
        private final int a;
        private final Random b = new Random();

        d(int c) {
            a = c;
            setDaemon(true);
        }

        private void a() throws InterruptedException {
            d.a();
            int c = f;
            sleep(1);
            if (c != f || c + g != 0) {
                h = true;
            }
            d.b();
            d.e("q" + c);
            if (b.nextInt(10) == 0) {
                e.a(b.nextInt(7));
            }
            sleep(3 + b.nextInt(5));
        }

        private void b() throws InterruptedException {
            int c = e.b();
            d.c();
            f += c;
            sleep(1);
            g -= c;
            d.d();
            if (a == 5) {
                i++;
            }
        }

        private void c() throws InterruptedException {
            for (int c = b.nextInt(16); c >= 0; c--) {
                e.a(c);
            }
            if (!d.f()) {
                h = true;
            }
            sleep(35);
        }

        @Override
        public void run() {
            try {
                while (!h) {
                    if (a < 4) {
                        a();
                    } else if (a < 7) {
                        b();
                    } else {
                        c();
                    }
                }
            } catch (InterruptedException c) {
                h = true;
            }
        }
    }

    public static void main(String[] j) throws InterruptedException {
        long k = j.length > 0 ? Long.parseLong(j[0]) : 600;
        for (int l = 0; l < 8; l++) {
            new d(l).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(k * 1000);
        if (h || i == 0) {
            throw new IllegalStateException("stock");
        }
        System.out.println("DONE " + i);
    }
}
