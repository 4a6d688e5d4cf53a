// @lock Bq$a
// @type LOCK reentrant=false
// @role lock Bq$a.a
// @role unlock Bq$a.b

// @lock Bq$b
// @type BARRIER parties=3
// @role arrive Bq$b.a

// @lock Bq$c
// @type SEMAPHORE permits=3
// @role acquire Bq$c.a
// @role release Bq$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Homework, shrunk: a lock tried in an endless loop, a turnstile that fills and empties in two phases, numbered places. */
public class Bq {
    static class a {
        boolean a;

        void a() throws InterruptedException {
            for (;;) {
                synchronized (this) {
                    if (!a) {
                        a = true;
                        return;
                    }
                    wait();
                }
            }
        }

        synchronized void b() {
            a = false;
            notify();
        }
    }

    static class b {
        int a;
        boolean b;
        final int c;

        b(int d) {
            c = d;
        }

        synchronized void a() throws InterruptedException {
            while (b) {
                wait();
            }
            a++;
            if (a == c) {
                b = true;
                notifyAll();
            }
            while (!b) {
                wait();
            }
            a--;
            if (a == 0) {
                b = false;
                notifyAll();
            }
        }
    }

    static class c {
        final boolean[] a = {true, true, true};

        synchronized int a() throws InterruptedException {
            while (true) {
                for (int b = 0; b < a.length; b++) {
                    if (a[b]) {
                        a[b] = false;
                        return b;
                    }
                }
                wait();
            }
        }

        synchronized void b(int b) {
            a[b] = true;
            notify();
        }
    }

    static String e;
    static final AtomicLong f = new AtomicLong();
    static final AtomicInteger g = new AtomicInteger();
    static final AtomicInteger[] h = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};

    static void j(int k, int l) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(k, l));
    }

    public static void main(String[] m) throws Exception {
        a n = new a();
        b o = new b(3);
        c p = new c();
        AtomicInteger[] q = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        for (int r = 0; r < 3; r++) {
            int s = r;
            Runnable t = () -> {
                try {
                    while (true) {
                        j(0, 6);
                        q[s].incrementAndGet();
                        o.a();
                        for (AtomicInteger u : q) {
                            if (Math.abs(u.get() - q[s].get()) > 1) {
                                e = "out of step";
                            }
                        }
                        n.a();
                        if (g.incrementAndGet() != 1) {
                            e = "two inside";
                        }
                        j(1, 3);
                        g.decrementAndGet();
                        n.b();
                    }
                } catch (InterruptedException x) {
                    e = "" + x;
                }
            };
            Thread v = new Thread(t, "p" + r);
            v.setDaemon(true);
            v.start();
        }
        for (int r = 0; r < 5; r++) {
            Thread v = new Thread(() -> {
                try {
                    while (true) {
                        int w = p.a();
                        if (h[w].incrementAndGet() != 1) {
                            e = "place given twice";
                        }
                        j(1, 6);
                        h[w].decrementAndGet();
                        p.b(w);
                        f.incrementAndGet();
                        j(0, 4);
                    }
                } catch (InterruptedException x) {
                    e = "" + x;
                }
            }, "q" + r);
            v.setDaemon(true);
            v.start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * (m.length > 0 ? Integer.parseInt(m[0]) : 600));
        if (e != null) {
            System.out.println(e);
            System.exit(1);
        }
        System.out.println("DONE " + f);
    }
}
