// @lock Qf$a
// @type BARRIER parties=3
// @role arrive Qf$a.a
// @lock Qf$c
// @type JOIN
// @role join Qf$c.b

import java.util.concurrent.atomic.AtomicIntegerArray;

public class Qf {
    // the colour flips when the third has come
    static class a {
        private boolean a;
        private int b;

        boolean a(boolean c) throws InterruptedException {
            synchronized (this) {
                if (b == 2) {
                    b = 0;
                    a = c;
                    notifyAll();
                } else {
                    b++;
                    while (a != c) {
                        wait();
                    }
                }
            }
            return !c;
        }
    }

    static abstract class b extends Thread {
        volatile Throwable a;

        b() {
            setDaemon(true);
        }

        abstract void a() throws Exception;

        public void run() {
            try {
                a();
            } catch (Throwable b) {
                a = b;
            }
        }
    }

    // a piece of work that is a thread and can be waited for
    static class c extends b {
        private final int[] b;
        private final int c;
        private long d;

        c(int[] b, int c) {
            this.b = b;
            this.c = c;
        }

        void a() throws InterruptedException {
            for (int e = 0; e < c; e++) {
                d += b[e];
                if (e % 4 == 0) {
                    Thread.sleep(1);
                }
            }
        }

        synchronized long b() throws InterruptedException {
            while (isAlive()) {
                wait();
            }
            return d;
        }
    }

    static final a g = new a();
    static final AtomicIntegerArray h = new AtomicIntegerArray(3);
    static volatile String i;
    static volatile long j;

    static class d extends b {
        private final int b;

        d(int b) {
            this.b = b;
        }

        void a() throws InterruptedException {
            boolean c = true;
            for (int e = 1;; e++) {
                Thread.sleep((e * (b + 3)) % 9 + 1);
                h.set(b, e);
                c = g.a(c);
                for (int f = 0; f < 3; f++) {
                    int k = h.get(f);
                    if (k != e && k != e + 1) {
                        i = f + " at " + k + ", " + b + " at " + e;
                    }
                }
            }
        }
    }

    static class e extends b {
        void a() throws InterruptedException {
            int[] b = new int[60];
            for (int c = 0; c < b.length; c++) {
                b[c] = c + 1;
            }
            for (int c = 20;; c = c == 60 ? 20 : c + 10) {
                c d = new c(b, c);
                d.start();
                if (d.b() != c * (c + 1) / 2) {
                    i = "sum";
                }
                j++;
                Thread.sleep(3);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long k = args.length > 0 ? Long.parseLong(args[0]) : 600;
        b[] l = {new d(0), new d(1), new d(2), new e()};
        for (b m : l) {
            m.start();
        }
        System.out.println("READY");
        Thread.sleep(k * 1000);
        for (b m : l) {
            if (m.a != null) {
                i = m.a.toString();
            }
        }
        if (i != null) {
            System.out.println(i);
            System.exit(1);
        }
        System.out.println("DONE " + (j + h.get(0)));
    }
}
