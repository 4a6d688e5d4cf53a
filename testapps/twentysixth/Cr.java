// @lock Cr$a
// @type SEMAPHORE form=rate-limiter
// @role acquire Cr$a.a
// @role release Cr$a.b
//
// @lock Cr$b
// @type LATCH count=4
// @role count-down Cr$b.a
// @role await Cr$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A replicator that may send so many records a second, and rounds that are over when four replicas have said so. */
public class Cr {

    static final class a {
        private int c = 6;

        synchronized void a() throws InterruptedException {
            while (c < 1) {
                wait();
            }
            c--;
        }

        synchronized void b(int d) {
            c = Math.min(c + d, 6);
            notifyAll();
        }
    }

    static final class b {
        private final boolean[] c = new boolean[4];
        private int d;

        void a(int e) {
            synchronized (this) {
                if (!c[e]) {
                    c[e] = true;
                    d++;
                    if (d == c.length) {
                        notifyAll();
                    }
                }
            }
        }

        void b() throws InterruptedException {
            synchronized (this) {
                while (d < c.length) {
                    wait();
                }
            }
        }
    }

    static volatile String d;
    static volatile b e = new b();
    static final AtomicLong f = new AtomicLong();
    static final AtomicLong g = new AtomicLong(6);
    static final a h = new a();

    static void a(int i) throws InterruptedException {
        b j = null;
        while (true) {
            b k = e;
            if (k == j) {
                Thread.sleep(1);
                continue;
            }
            j = k;
            h.a();
            if (g.decrementAndGet() < 0) {
                d = "sent without a token";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            k.a(i);
            f.incrementAndGet();
        }
    }

    static void b() throws InterruptedException {
        while (true) {
            b i = e;
            i.b();
            for (boolean j : i.c) {
                if (!j) {
                    d = "over too early";
                }
            }
            e = new b();
            Thread.sleep(1);
        }
    }

    static void c() throws InterruptedException {
        while (true) {
            g.addAndGet(3);
            h.b(3);
            Thread.sleep(8);
        }
    }

    static void d() throws InterruptedException {
        while (true) {
            e.b();
            Thread.sleep(2);
        }
    }

    public static void main(String[] args) throws Exception {
        int i = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int j = 0; j < 7; j++) {
            final int k = j;
            Thread l = new Thread("l" + j) {
                @Override public void run() {
                    try {
                        switch (k) {
                            case 4: b(); break;
                            case 5: c(); break;
                            case 6: d(); break;
                            default: a(k); break;
                        }
                    } catch (InterruptedException m) {
                        d = "interrupted";
                    }
                }
            };
            l.setDaemon(true);
            l.start();
        }
        System.out.println("READY");
        long j = System.currentTimeMillis() + i * 1000L;
        while (System.currentTimeMillis() < j && d == null) {
            Thread.sleep(50);
        }
        System.out.println(d == null ? "DONE " + f.get() : "FAULT " + d);
        System.exit(d == null ? 0 : 1);
    }
}
