// @lock Cm$a
// @type BARRIER parties=2 form=exchanger
// @role arrive Cm$a.a
//
// @lock Cm$b
// @type JOIN
// @role join java.lang.Thread.join

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

public class Cm {
    static volatile String c;
    static final AtomicLong d = new AtomicLong();

    static final class a<T> {
        private T c;
        private T d;
        private int e;

        synchronized T a(T t) throws InterruptedException {
            while (e == 2) {
                wait();
            }
            if (e == 0) {
                c = t;
                e = 1;
                while (e != 2) {
                    wait();
                }
                T r = d;
                c = null;
                d = null;
                e = 0;
                notifyAll();
                return r;
            }
            T r = c;
            d = t;
            e = 2;
            notifyAll();
            return r;
        }
    }

    static final class b extends Thread {
        final int c;
        int d = -1;

        b(int c) {
            this.c = c;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(1 + c % 5);
                d = c * 2;
            } catch (InterruptedException z) {
                Cm.c = z.toString();
            }
        }
    }

    interface c {
        void a() throws InterruptedException;
    }

    static void a(c k) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    k.a();
                    d.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException z) {
                c = z.toString();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a<StringBuilder> e = new a<>();
        StringBuilder[] f = {new StringBuilder(), new StringBuilder()};
        Random g = new Random(1);
        Random h = new Random(2);
        a(() -> {
            if (f[0].length() != 0) {
                c = "not emptied";
            }
            int l = 1 + g.nextInt(9);
            for (int i = 0; i < l; i++) {
                f[0].append((char) ('a' + i));
            }
            Thread.sleep(1 + g.nextInt(6));
            f[0] = e.a(f[0]);
        });
        a(() -> {
            f[1] = e.a(f[1]);
            int l = f[1].length();
            if (l == 0 || f[1].charAt(l - 1) != 'a' + l - 1) {
                c = "not filled: " + f[1];
            }
            f[1].setLength(0);
            Thread.sleep(1 + h.nextInt(6));
        });
        for (int i = 0; i < 2; i++) {
            final int k = i;
            a(() -> {
                b[] o = new b[3];
                for (int j = 0; j < o.length; j++) {
                    o[j] = new b(j * 3 + k);
                    o[j].start();
                }
                for (b p : o) {
                    p.join();
                    if (p.d != p.c * 2) {
                        c = "not done";
                    }
                }
                Thread.sleep(4);
            });
        }
        System.out.println("READY");
        long u = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < u && c == null) {
            Thread.sleep(25);
        }
        System.out.println(c != null ? c : "DONE " + d.get());
        System.exit(c != null ? 1 : 0);
    }
}
