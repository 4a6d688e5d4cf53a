// @lock Bx$c
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put Bx$c.a
// @role take Bx$c.b

// @lock Bx$b
// @type MUTEX
// @role enter Bx$b.a
// @role enter Bx$b.b
// @role enter Bx$b.c

import java.util.HashMap;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** A scanner hands each bin label over to a sorter of its own by one slot; all sorters book into the same bin totals. Obfuscated. */
public class Bx {
    static class c<T> {
        private T a;

        void a(T b) throws InterruptedException {
            synchronized (this) {
                while (a != null) {
                    wait();
                }
                a = b;
                notifyAll();
            }
        }

        T b() throws InterruptedException {
            synchronized (this) {
                while (a == null) {
                    wait();
                }
                T b = a;
                a = null;
                notifyAll();
                return b;
            }
        }
    }

    static class b {
        private final HashMap<String, int[]> a = new HashMap<>();
        private int b;

        synchronized void a(String c, int d) throws InterruptedException {
            int[] e = a.get(c);
            if (e == null) {
                a.put(c, e = new int[1]);
            }
            e[0] += d;
            Thread.sleep(1);
            b += d;
        }

        synchronized int b(String c) {
            int[] d = a.get(c);
            return d == null ? 0 : d[0];
        }

        synchronized boolean c() {
            int c = 0;
            for (int[] d : a.values()) {
                c += d[0];
            }
            return c == b;
        }
    }

    private static final b d = new b();
    private static final AtomicLong e = new AtomicLong();
    private static volatile String f;

    static class a extends Thread {
        private final c<String> a;
        private final boolean b;

        a(c<String> c, boolean d) {
            a = c;
            b = d;
            setDaemon(true);
        }

        private void a() throws InterruptedException {
            Random c = new Random();
            for (int d = 0; f == null; d++) {
                a.a((char) ('A' + c.nextInt(5)) + ":" + d);
                sleep(c.nextInt(4));
            }
        }

        private void b() throws InterruptedException {
            for (int c = 0; f == null; c++) {
                String g = a.b();
                int h = g.indexOf(':');
                if (Integer.parseInt(g.substring(h + 1)) != c) {
                    f = "label " + c + " came as " + g;
                }
                d.a(g.substring(0, h), 1);
                if (c % 4 == 0) {
                    sleep(3);
                    if (d.b(g.substring(0, h)) == 0 || !d.c()) {
                        f = "totals";
                    }
                }
                e.incrementAndGet();
            }
        }

        @Override
        public void run() {
            try {
                if (b) {
                    a();
                } else {
                    b();
                }
            } catch (InterruptedException c) {
                f = "interrupted";
            }
        }
    }

    public static void main(String[] g) throws Exception {
        long h = g.length > 0 ? Long.parseLong(g[0]) : 600;
        for (int i = 0; i < 4; i++) {
            c<String> j = new c<>();
            new a(j, true).start();
            new a(j, false).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(h * 1000);
        if (f != null || !d.c()) {
            throw new IllegalStateException(f);
        }
        System.out.println("DONE " + e);
    }
}
