// @lock Qz$a
// @type CONDITION
// @role wait Qz$a.b
// @role notify Qz$a.a
//
// @lock Qz$c
// @type JOIN
// @role join Qz$c.b
//
// @lock java.lang.Class#h
// @type MUTEX
// @role enter Qz$d.h

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Remote calls over one line: each caller waits for the reply with his own number; long calls get a thread. */
public class Qz {

    static final class a {
        private final Map<Integer, String> c = new HashMap<Integer, String>();

        synchronized void a(int d, String e) {
            if (c.put(d, e) != null) {
                f = "two replies for " + d;
            }
            notifyAll();
        }

        synchronized String b(int d, long e) throws InterruptedException {
            long g = System.currentTimeMillis() + e;
            String h;
            while ((h = c.remove(d)) == null) {
                long i = g - System.currentTimeMillis();
                if (i <= 0) {
                    return null;
                }
                wait(i);
            }
            return h;
        }
    }

    static final class c implements Runnable {
        private final int e;
        private Thread f;
        private int g;

        c(int e) {
            this.e = e;
        }

        c a() {
            f = new Thread(this);
            f.setDaemon(true);
            f.start();
            return this;
        }

        private void c() {
            synchronized (this) {
                f = null;
                notifyAll();
            }
        }

        int b() throws InterruptedException {
            synchronized (this) {
                while (f != null) {
                    wait(250);
                }
                return g;
            }
        }

        @Override public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                g = d.h(e);
            } catch (InterruptedException i) {
                Qz.f = "interrupted";
            } finally {
                c();
            }
        }
    }

    static final class d {
        private static int e;
        private static int g;

        private d() { }

        static int h(int i) throws InterruptedException {
            synchronized (d.class) {
                e++;
                Thread.sleep(1);
                g++;
                if (e != g) {
                    Qz.f = "not alone with " + i;
                }
            }
            return -i;
        }
    }

    static volatile String f;
    static final AtomicLong g = new AtomicLong();
    static final AtomicInteger h = new AtomicInteger();
    static final ConcurrentLinkedQueue<Integer> i = new ConcurrentLinkedQueue<Integer>();
    static final a j = new a();

    static void k() throws InterruptedException {
        while (true) {
            int l = h.incrementAndGet();
            i.add(l);
            String m = j.b(l, 5000);
            if (m == null || !m.equals("r" + l)) {
                f = "reply " + m + " to " + l;
            }
            g.incrementAndGet();
            Thread.sleep(1);
        }
    }

    static void l() throws InterruptedException {
        while (true) {
            Integer m = i.poll();
            if (m == null) {
                Thread.sleep(1);
                continue;
            }
            d.h(m);
            j.a(m, "r" + m);
        }
    }

    static void m() throws InterruptedException {
        while (true) {
            int n = ThreadLocalRandom.current().nextInt(1000);
            c o = new c(n).a();
            c p = new c(n + 1).a();
            if (o.b() - p.b() != 1) {
                f = "long call " + n + " not done";
            }
            g.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int o = 0; o < 7; o++) {
            final int p = o;
            Thread q = new Thread("q" + o) {
                @Override public void run() {
                    try {
                        if (p < 3) {
                            k();
                        } else if (p < 5) {
                            l();
                        } else {
                            m();
                        }
                    } catch (InterruptedException r) {
                        f = "interrupted";
                    }
                }
            };
            q.setDaemon(true);
            q.start();
        }
        System.out.println("READY");
        long o = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < o && f == null) {
            Thread.sleep(50);
        }
        System.out.println(f == null ? "DONE " + g.get() : "FAULT " + f);
        System.exit(f == null ? 0 : 1);
    }
}
