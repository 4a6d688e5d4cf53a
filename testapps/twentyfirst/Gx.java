// @lock Gx$b
// @type BARRIER+MUTEX parties=3
// @role arrive Gx$b.a
// @role enter Gx$b.b
// @role enter Gx$b.c

import java.util.concurrent.atomic.AtomicInteger;

// traffic simulation: three districts in step; their monitor guards the tally of vehicles as well
public class Gx {
    static class a {
        int a;
        boolean b;
    }

    static class b {
        private a a = new a();
        private final int[] b = new int[5];
        private int c;

        synchronized void a() throws InterruptedException {
            a g = a;
            if (++g.a < 3) {
                while (!g.b) wait();
            } else {
                g.b = true;
                a = new a();
                notifyAll();
            }
        }

        synchronized void b(int i, int n) throws InterruptedException {
            b[i] += n;
            Thread.sleep(1);
            c += n;
        }

        synchronized boolean c() throws InterruptedException {
            int s = 0;
            for (int i : b) s += i;
            Thread.sleep(1);
            return s == c;
        }
    }

    static final b c = new b();
    static final AtomicInteger[] d = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
    static volatile String e;

    static class f implements Runnable {
        final int a;
        f(int a) { this.a = a; }

        public void run() {
            try {
                for (int i = 0; e == null; i++) {
                    if (a == 3) {
                        if (!c.c()) e = "tally";
                        Thread.sleep(4);
                        continue;
                    }
                    c.b(i % 5, a + 1);
                    Thread.sleep(1 + (i * (a + 3)) % 7);
                    d[a].incrementAndGet();
                    c.a();
                    for (AtomicInteger j : d)
                        if (j.get() < i + 1 || j.get() > i + 2) e = "step " + i + ": " + j;
                }
            } catch (InterruptedException x) {
                e = "interrupted";
            }
        }
    }

    public static void main(String[] s) throws Exception {
        int n = s.length > 0 ? Integer.parseInt(s[0]) : 600;
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(new f(i));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        while (n-- > 0 && e == null) Thread.sleep(1000);
        System.out.println(e == null ? "DONE " + d[0] : e);
        System.exit(e == null && d[0].get() > 0 ? 0 : 1);
    }
}
