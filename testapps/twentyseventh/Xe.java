// @lock Xe$a
// @type SEMAPHORE+MUTEX permits=2
// @role acquire Xe$a.a
// @role release Xe$a.b
// @role enter Xe$a.c
//
// @lock Xe$b
// @type LATCH count=3
// @role count-down Xe$b.a
// @role await Xe$b.b

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Xe {
    static volatile String c;
    static final AtomicLong d = new AtomicLong();

    static final class a {
        private int d;
        private final Map<String, Integer> e = new TreeMap<>();
        private int f;

        synchronized void a() throws InterruptedException {
            while (d >= 2) {
                wait();
            }
            d++;
        }

        synchronized void b() {
            d--;
            notify();
        }

        synchronized void c(String s) throws InterruptedException {
            e.merge(s, 1, Integer::sum);
            Thread.sleep(1);
            f++;
            int g = 0;
            for (int v : e.values()) {
                g += v;
            }
            if (g != f) {
                Xe.c = g + " is not " + f;
            }
        }
    }

    static final class b {
        private int d;

        void a(int i) {
            synchronized (this) {
                d |= 1 << i;
                if (d == 7) {
                    notifyAll();
                }
            }
        }

        boolean b(long m) throws InterruptedException {
            synchronized (this) {
                long u = System.nanoTime() + m * 1_000_000L;
                while (d != 7) {
                    long r = (u - System.nanoTime()) / 1_000_000L;
                    if (r <= 0) {
                        return false;
                    }
                    wait(r);
                }
                return true;
            }
        }
    }

    static void a(Runnable r) {
        Thread t = new Thread(r);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a e = new a();
        AtomicInteger f = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            final int k = i;
            a(() -> {
                Random r = new Random(k);
                try {
                    for (;;) {
                        e.a();
                        if (f.incrementAndGet() > 2) {
                            c = "third one in";
                        }
                        Thread.sleep(2 + r.nextInt(4));
                        f.decrementAndGet();
                        e.b();
                        e.c("k" + k);
                        d.incrementAndGet();
                        Thread.sleep(1 + r.nextInt(4));
                    }
                } catch (InterruptedException z) {
                    c = z.toString();
                }
            });
        }
        for (int i = 0; i < 2; i++) {
            final int k = i;
            a(() -> {
                Random r = new Random(-k);
                try {
                    for (;;) {
                        e.c("x" + k);
                        Thread.sleep(1 + r.nextInt(4));
                    }
                } catch (InterruptedException z) {
                    c = z.toString();
                }
            });
        }
        ConcurrentLinkedQueue<b>[] g = b();
        for (int i = 0; i < 3; i++) {
            final int k = i;
            a(() -> {
                Random r = new Random(k);
                try {
                    for (;;) {
                        b h = g[k].poll();
                        Thread.sleep(1 + r.nextInt(3));
                        if (h != null) {
                            h.a(k);
                        }
                    }
                } catch (InterruptedException z) {
                    c = z.toString();
                }
            });
        }
        a(() -> {
            try {
                for (;;) {
                    b h = new b();
                    for (ConcurrentLinkedQueue<b> q : g) {
                        q.add(h);
                    }
                    if (!h.b(30_000)) {
                        c = "never complete";
                    }
                    d.incrementAndGet();
                    Thread.sleep(3);
                }
            } catch (InterruptedException z) {
                c = z.toString();
            }
        });
        System.out.println("READY");
        long u = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < u && c == null) {
            Thread.sleep(25);
        }
        System.out.println(c != null ? c : "DONE " + d.get());
        System.exit(c != null ? 1 : 0);
    }

    @SuppressWarnings("unchecked")
    static ConcurrentLinkedQueue<b>[] b() {
        ConcurrentLinkedQueue<b>[] q = (ConcurrentLinkedQueue<b>[]) new ConcurrentLinkedQueue<?>[3];
        for (int i = 0; i < 3; i++) {
            q[i] = new ConcurrentLinkedQueue<>();
        }
        return q;
    }
}
