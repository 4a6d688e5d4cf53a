// @lock Np$a
// @type SEMAPHORE permits=3
// @role acquire Np$a.a
// @role release Np$a.b

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

// Three operating tables of a hospital; whoever has to wait does so on a monitor of his own, first come, first served.
public class Np {
    static class b {
        boolean a;
    }

    static class a {
        private final List<b> a = new ArrayList<>();
        private int b;
        a(int p) { b = p; }

        void a() {
            b n;
            synchronized (this) {
                if (b > 0) {
                    b--;
                    return;
                }
                n = new b();
                a.add(n);
            }
            boolean i = false;
            synchronized (n) {
                while (!n.a) {
                    try {
                        n.wait();
                    } catch (InterruptedException e) {
                        i = true;
                    }
                }
            }
            if (i) Thread.currentThread().interrupt();
        }

        void b() {
            b n = null;
            synchronized (this) {
                if (a.isEmpty()) b++;
                else n = a.remove(0);
            }
            if (n == null) return;
            synchronized (n) {
                n.a = true;
                n.notify();
            }
        }
    }

    static final AtomicInteger c = new AtomicInteger(), d = new AtomicInteger();
    static volatile boolean e;

    public static void main(String[] args) throws Exception {
        long s = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a g = new a(3);
        for (int i = 0; i < 8; i++) {
            int k = i;
            Thread t = new Thread(() -> {
                try {
                    for (int j = k; ; j++) {
                        g.a();
                        int n = c.incrementAndGet();
                        if (n > 3 || n < 1) e = true;
                        Thread.sleep(2 + j % 7);
                        c.decrementAndGet();
                        g.b();
                        d.incrementAndGet();
                        Thread.sleep(1 + j % 5);
                    }
                } catch (InterruptedException x) {
                    e = true;
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        int o = -1;
        for (long i = 0; i < s && !e; i++) {
            Thread.sleep(1000);
            o = d.get();
        }
        System.out.println(e ? "FAILED" : "DONE " + d);
        System.exit(e ? 1 : 0);
    }
}
