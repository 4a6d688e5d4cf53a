// @lock Qc$a
// @type LOCK reentrant=false
// @role lock Qc$b.a
// @role unlock Qc$b.b
// @lock Qc$d
// @type MUTEX
// @role enter Qc$d.a
// @role enter Qc$d.b

import java.util.Random;

public class Qc {
    static class a {
        boolean a;
    }

    // each waits for the node before his own
    static class b {
        private a a = new a();

        a a() {
            a b = new a();
            a c;
            b.a = true;
            synchronized (this) {
                c = a;
                a = b;
            }
            boolean d = false;
            synchronized (c) {
                while (c.a) {
                    try {
                        c.wait();
                    } catch (InterruptedException e) {
                        d = true;
                    }
                }
            }
            if (d) {
                Thread.currentThread().interrupt();
            }
            return b;
        }

        void b(a b) {
            synchronized (b) {
                b.a = false;
                b.notify();
            }
        }
    }

    static class d {
        private final StringBuilder a = new StringBuilder();
        private long b;

        synchronized void a(char c) throws InterruptedException {
            int d = a.length();
            a.append(c);
            Thread.sleep(1);
            if (a.length() != d + 1) {
                throw new IllegalStateException("length");
            }
            b++;
        }

        synchronized String b() throws InterruptedException {
            String c = a.toString();
            Thread.sleep(2);
            if (c.length() != a.length()) {
                throw new IllegalStateException("cut");
            }
            a.setLength(0);
            return c;
        }

        synchronized long c() {
            return b;
        }
    }

    static final b e = new b();
    static final d f = new d();
    static int g;
    static int h;
    static volatile Throwable i;
    static volatile boolean j;

    static class k extends Thread {
        final int a;
        int b;

        k(int a) {
            this.a = a;
            setDaemon(true);
        }

        public void run() {
            Random c = new Random(a);
            try {
                while (!j) {
                    a d = e.a();
                    try {
                        g++;
                        Thread.sleep(1 + c.nextInt(4));
                        h++;
                        if (g != h) {
                            throw new IllegalStateException(g + " " + h);
                        }
                    } finally {
                        e.b(d);
                    }
                    b++;
                    f.a((char) ('a' + a));
                    Thread.sleep(2 + c.nextInt(5));
                }
            } catch (Exception d) {
                i = d;
            }
        }
    }

    static class l extends Thread {
        long a;

        public void run() {
            try {
                do {
                    a += f.b().length();
                    Thread.sleep(6);
                } while (!j);
            } catch (Exception d) {
                i = d;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long m = args.length > 0 ? Long.parseLong(args[0]) : 600;
        k[] n = new k[5];
        for (int o = 0; o < n.length; o++) {
            n[o] = new k(o);
            n[o].start();
        }
        l p = new l();
        p.setDaemon(true);
        p.start();
        System.out.println("READY");
        Thread.sleep(m * 1000);
        j = true;
        int q = 0;
        for (k o : n) {
            o.join(10000);
            q += o.b;
        }
        p.join(10000);
        if (i != null || q != h || f.c() < p.a) {
            System.out.println(i + " " + q + " " + h + " " + p.a);
            System.exit(1);
        }
        System.out.println("DONE " + q);
    }
}
