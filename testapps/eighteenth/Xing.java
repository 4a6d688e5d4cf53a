// @lock Xing$b
// @type CONDITION
// @role wait Xing$b.a
// @role notify Xing$b.a
// @lock Xing$c
// @type JOIN
// @role join java.lang.Thread.join

import java.util.concurrent.atomic.AtomicLong;

/** River crossing: four may row, never three of one bank's people with one of the other; who completes the crew casts off. */
public class Xing {
    static final AtomicLong n = new AtomicLong();
    static volatile String x;

    /** A crew that is being gathered or has been. */
    static final class a {
        int a;
        int b;
        boolean c;
    }

    static final class b {
        private int a;
        private int b;
        private int c;
        private int d;

        /** True for the one who completes the crew. */
        boolean a(boolean k) throws InterruptedException {
            synchronized (this) {
                if (k) {
                    a++;
                } else {
                    b++;
                }
                boolean r = b(k);
                while (!r) {
                    if (k && c > 0) {
                        c--;
                        return false;
                    }
                    if (!k && d > 0) {
                        d--;
                        return false;
                    }
                    wait();
                }
                return true;
            }
        }

        private boolean b(boolean k) {
            int p = 0;
            int q = 0;
            if (a >= 4) {
                p = 4;
            } else if (b >= 4) {
                q = 4;
            } else if (a >= 2 && b >= 2) {
                p = 2;
                q = 2;
            } else {
                return false;
            }
            a -= p;
            b -= q;
            c += p;
            d += q;
            if (k) {
                c--;
            } else {
                d--;
            }
            if (a < 0 || b < 0 || c < 0 || d < 0) {
                x = "bad crew";
            }
            notifyAll();
            return true;
        }
    }

    static final class c extends Thread {
        private final a e;

        c(a e) {
            this.e = e;
        }

        @Override
        public void run() {
            try {
                e.a++;
                Thread.sleep(4);
                e.b++;
                e.c = true;
            } catch (InterruptedException y) {
                x = "rowing interrupted";
            }
        }
    }

    static final class d implements Runnable {
        private final b a;
        private final boolean b;

        d(b a, boolean b) {
            this.a = a;
            this.b = b;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    if (a.a(b)) {
                        a e = new a();
                        c t = new c(e);
                        t.start();
                        t.join();
                        if (!e.c || e.a != 1 || e.b != 1) {
                            x = "still afloat";
                        }
                        n.incrementAndGet();
                    } else {
                        Thread.sleep(3);
                    }
                    Thread.sleep(b ? 2 : 1);
                }
            } catch (InterruptedException y) {
                x = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        b b = new b();
        for (int i = 0; i < 12; i++) {
            Thread t = new Thread(new d(b, i < 6));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long o = -1;
        for (int i = 0; i < 4 * s && x == null; i++) {
            Thread.sleep(250);
            if (o == n.get()) {
                x = "no boat left";
            }
            o = n.get();
        }
        if (x != null) {
            System.out.println(x);
            System.exit(1);
        }
        System.out.println("DONE " + n);
        System.exit(0);
    }
}
