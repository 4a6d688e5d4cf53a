// @lock Mn$d
// @type BARRIER parties=4
// @role arrive Mn$a.a
//
// @lock Mn$b
// @type PRODUCER-CONSUMER capacity=1
// @role put Mn$b.a
// @role take Mn$b.b

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A carillon: four hammers strike each beat together; the score comes in one card at a time. */
public class Mn {
    static class a {
        private boolean a;
        private int b;
        private final d c;

        a(int n) {
            c = new d(n);
        }

        void a(int i) throws InterruptedException {
            synchronized (c) {
                boolean s = c.a[i] = !c.a[i];
                if (++b == c.a.length) {
                    b = 0;
                    a = s;
                    c.notifyAll();
                } else {
                    while (a != s) {
                        c.wait();
                    }
                }
            }
        }
    }

    static final class d {
        final boolean[] a;

        d(int n) {
            a = new boolean[n];
        }
    }

    static class b {
        private String a;

        synchronized void a(String s) throws InterruptedException {
            while (this.a != null) {
                wait();
            }
            this.a = s;
            notifyAll();
        }

        synchronized String b() throws InterruptedException {
            String s;
            while ((s = this.a) == null) {
                wait();
            }
            this.a = null;
            notifyAll();
            return s;
        }
    }

    static final AtomicIntegerArray c = new AtomicIntegerArray(4);
    static final AtomicLong d = new AtomicLong();
    static final AtomicLong e = new AtomicLong();
    static volatile String f;

    static class g extends Thread {
        final a a;
        final int b;

        g(a a, int b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int n = 1; ; n++) {
                    Thread.sleep(2 + (n * 7 + b * 5) % 8);
                    c.set(b, n);
                    a.a(b);
                    for (int i = 0; i < 4; i++) {
                        int k = c.get(i);
                        if (k != n && k != n + 1) {
                            f = "out of beat " + k + "/" + n;
                        }
                    }
                    e.incrementAndGet();
                }
            } catch (InterruptedException x) {
                f = "i";
            }
        }
    }

    static class h extends Thread {
        final b a;
        final int b;

        h(b a, int b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int n = 0; f == null; n++) {
                    if (b < 2) {
                        d.addAndGet(n);
                        a.a("x" + n);
                        Thread.sleep(n % 16 < 8 ? 1 : 9);
                    } else {
                        if (d.addAndGet(-Integer.parseInt(a.b().substring(1))) < 0) {
                            f = "a card twice";
                        }
                        e.incrementAndGet();
                        Thread.sleep(n % 24 < 12 ? 4 : 1);
                    }
                }
            } catch (InterruptedException x) {
                f = "j";
            }
        }
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a p = new a(4);
        b q = new b();
        for (int i = 0; i < 4; i++) {
            new g(p, i).start();
            new h(q, i).start();
        }
        System.out.println("READY");
        while (n > 0 && f == null) {
            Thread.sleep(1000);
            n--;
        }
        System.out.println(f == null ? "DONE " + e : f);
        System.exit(f == null ? 0 : 1);
    }
}
