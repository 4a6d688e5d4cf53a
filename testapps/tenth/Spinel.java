// @lock Spinel$a
// @type LOCK reentrant=false
// @role lock Spinel$a.a
// @role unlock Spinel$a.b
//
// @lock Spinel$b
// @type CONDITION
// @role wait Spinel$b.a
// @role notify Spinel$b.b
//
// @lock Spinel$c
// @type MUTEX
// @role enter Spinel$c.a
// @role enter Spinel$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A plotter: jobs own it one at a time, its pens wait for the drum to have turned far enough, and ink is accounted for. Obfuscated. */
public final class Spinel {
    static final class a {
        private String a;

        synchronized void a() throws InterruptedException {
            String b = Thread.currentThread().getName();
            if (b.equals(a)) {
                throw new IllegalStateException(b);
            }
            for (;;) {
                if (a == null) {
                    a = b;
                    return;
                }
                wait(1000);
            }
        }

        synchronized void b() {
            if (!Thread.currentThread().getName().equals(a)) {
                throw new IllegalStateException(a);
            }
            a = null;
            notify();
        }
    }

    static final class b {
        private int a;

        synchronized boolean a(int b, int c) throws InterruptedException {
            while (((a - b) & 0xff) >= c) {
                wait();
            }
            return ((a - b) & 0xff) < c;
        }

        synchronized void b() {
            a = (a + 8) & 0xff;
            notifyAll();
        }
    }

    static final class c {
        private final long[] a = new long[4];
        private long b;

        void a(int c) throws InterruptedException {
            synchronized (this) {
                a[c]++;
                Thread.sleep(1);
                b++;
            }
        }

        boolean b() {
            synchronized (this) {
                return a[0] + a[1] + a[2] + a[3] == b;
            }
        }
    }

    private static final a d = new a();
    private static final b e = new b();
    private static final c f = new c();
    private static final AtomicLong g = new AtomicLong();
    private static volatile String h;
    private static Thread i;

    private static void a() throws InterruptedException {
        d.a();
        try {
            i = Thread.currentThread();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            if (i != Thread.currentThread()) {
                h = "two jobs on one plotter";
            }
        } finally {
            d.b();
        }
        f.a(ThreadLocalRandom.current().nextInt(4));
    }

    private static void b() throws InterruptedException {
        if (!e.a(ThreadLocalRandom.current().nextInt(256), 24)) {
            h = "the drum stood elsewhere";
        }
        f.a(ThreadLocalRandom.current().nextInt(4));
        if (!f.b()) {
            h = "ink was lost";
        }
    }

    private static void c() throws InterruptedException {
        Thread.sleep(1);
        e.b();
    }

    interface d {
        void a() throws InterruptedException;
    }

    private static void a(int j, d k) {
        for (int l = 0; l < j; l++) {
            Thread m = new Thread(() -> {
                try {
                    while (h == null) {
                        k.a();
                        g.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                    }
                } catch (InterruptedException | IllegalStateException n) {
                    h = n.toString();
                }
            });
            m.setDaemon(true);
            m.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long j = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a(5, Spinel::a);
        a(5, Spinel::b);
        a(1, Spinel::c);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        if (h != null) {
            throw new IllegalStateException(h);
        }
        System.out.println("DONE " + g);
    }
}
