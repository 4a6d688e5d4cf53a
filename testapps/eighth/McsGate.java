// @lock McsGate$a
// @type LOCK reentrant=false
// @role lock McsGate$b.a
// @role unlock McsGate$b.b
//
// Composite: the queue's own monitor for its tail, and a node for each holder, on which the next in line waits.

import java.util.concurrent.atomic.AtomicLong;

/** A queue lock: everybody waits for the one before him, and for nobody else. Obfuscated. */
public final class McsGate {
    static final class a {
        boolean c;
    }

    static final class b {
        private a c = new a();
        private a d;

        b() {
            c.c = true;
        }

        void a() throws InterruptedException {
            a e = new a();
            a f;
            synchronized (this) {
                f = c;
                c = e;
            }
            synchronized (f) {
                while (!f.c) {
                    f.wait();
                }
            }
            d = e;
        }

        void b() {
            a e = d;
            d = null;
            synchronized (e) {
                e.c = true;
                e.notify();
            }
        }
    }

    private static final AtomicLong e = new AtomicLong();
    private static long f;
    private static long g;
    private static volatile String h;

    static final class c implements Runnable {
        private final b d;
        private final int i;

        c(b j, int k) {
            d = j;
            i = k;
        }

        @Override
        public void run() {
            try {
                for (int j = i; ; j++) {
                    d.a();
                    long k = ++f;
                    if (j % 2 == 0) {
                        Thread.sleep(1);
                    }
                    if (++g != k || f != k) {
                        h = f + " in, " + g + " out";
                    }
                    d.b();
                    e.incrementAndGet();
                    Thread.sleep(1 + j % 3);
                }
            } catch (InterruptedException j) {
                h = j.toString();
            }
        }
    }

    public static void main(String[] i) throws InterruptedException {
        long j = i.length > 0 ? Long.parseLong(i[0]) : 600;
        b k = new b();
        for (int l = 0; l < 5; l++) {
            Thread m = new Thread(new c(k, l));
            m.setDaemon(true);
            m.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        if (h != null) {
            throw new IllegalStateException(h);
        }
        System.out.println("DONE " + e);
    }
}
