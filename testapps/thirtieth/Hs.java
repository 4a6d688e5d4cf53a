// @lock Hs$a
// @type BARRIER parties=2 form=exchanger
// @role arrive Hs$a.a

// @lock Hs$c
// @type LOCK reentrant=true
// @role lock Hs$c.a
// @role unlock Hs$c.b

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Two stock halls swap their transfer lists pairwise; all of them write the transfers into one book under a home-made monitor. Obfuscated. */
public class Hs {
    static class a {
        private Object a;
        private Object b;
        private int c;

        synchronized Object a(Object d) throws InterruptedException {
            while (c == 2) {
                wait();
            }
            if (c == 0) {
                a = d;
                c = 1;
                while (c == 1) {
                    wait();
                }
                Object e = b;
                a = null;
                b = null;
                c = 0;
                notifyAll();
                return e;
            }
            b = d;
            c = 2;
            notifyAll();
            return a;
        }
    }

    static class c {
        private Thread a;
        private int b;
        private int c;

        void a() throws InterruptedException {
            Thread d = Thread.currentThread();
            synchronized (this) {
                if (a == d) {
                    b++;
                    return;
                }
                c++;
                while (a != null) {
                    wait();
                }
                c--;
                a = d;
                b = 1;
            }
        }

        void b() {
            synchronized (this) {
                if (a != Thread.currentThread()) {
                    throw new IllegalMonitorStateException();
                }
                if (--b == 0) {
                    a = null;
                    if (c > 0) {
                        notify();
                    }
                }
            }
        }
    }

    static class b {
        private final c a = new c();
        private int b;
        private int c;

        void a(int d) throws InterruptedException {
            a.a();
            try {
                b += d;
                b(-d);
                if (b + c != 0) {
                    throw new IllegalStateException("book");
                }
            } finally {
                a.b();
            }
        }

        void b(int d) throws InterruptedException {
            a.a();
            try {
                Thread.sleep(1);
                c += d;
            } finally {
                a.b();
            }
        }
    }

    static volatile Throwable d;
    static final AtomicLong e = new AtomicLong();

    static class d implements Runnable {
        private final a a;
        private final b b;
        private final int c;

        d(a e, b f, int g) {
            a = e;
            b = f;
            c = g;
        }

        public void run() {
            Random f = new Random();
            try {
                for (int g = 0; Hs.d == null; g++) {
                    int[] h = {c, g};
                    int[] i = (int[]) a.a(h);
                    if (i[0] == c || i[1] != g) {
                        throw new IllegalStateException("swapped with the wrong list");
                    }
                    b.a(i[1]);
                    Thread.sleep(f.nextInt(5));
                    e.incrementAndGet();
                }
            } catch (InterruptedException g) {
                Hs.d = g;
            } catch (RuntimeException g) {
                Hs.d = g;
            }
        }
    }

    public static void main(String[] f) throws InterruptedException {
        long g = f.length > 0 ? Long.parseLong(f[0]) : 600;
        b h = new b();
        for (int i = 0; i < 3; i++) {
            a j = new a();
            for (int k = 0; k < 2; k++) {
                Thread l = new Thread(new d(j, h, k));
                l.setDaemon(true);
                l.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (d != null) {
            throw new IllegalStateException(d);
        }
        System.out.println("DONE " + e);
    }
}
