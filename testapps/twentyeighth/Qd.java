// @lock Qd$a
// @type READ-WRITE preference=readers
// @role read-lock Qd$a.a
// @role read-unlock Qd$a.b
// @role write-lock Qd$a.c
// @role write-unlock Qd$a.d
// @lock Qd$b
// @type LATCH count=2
// @role count-down Qd$b.b
// @role await Qd$b.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

public final class Qd {
    static final class a {
        // -1: written, else the number of those who read
        private int a;

        synchronized void a() throws InterruptedException {
            while (a < 0) {
                wait();
            }
            a++;
        }

        synchronized void b() {
            if (--a == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (a != 0) {
                wait();
            }
            a = -1;
        }

        synchronized void d() {
            a = 0;
            notifyAll();
        }
    }

    static final class b {
        private int c = 2;
        private final AtomicReference<b> d = new AtomicReference<>();
        volatile int e;
        volatile int f;

        void a() throws InterruptedException {
            synchronized (this) {
                while (c != 0) {
                    wait();
                }
            }
        }

        void b() {
            synchronized (this) {
                if (--c == 0) {
                    notifyAll();
                }
            }
        }

        b c() {
            b g = d.get();
            if (g == null) {
                d.compareAndSet(null, new b());
                g = d.get();
            }
            return g;
        }
    }

    private final a c = new a();
    private final long[] d = new long[3];
    private final AtomicLong e = new AtomicLong();
    private volatile String f;

    private void a(boolean g, int h) throws InterruptedException {
        if (g) {
            c.c();
            try {
                d[0]++;
                Thread.sleep(1);
                d[1]++;
                d[2]++;
            } finally {
                c.d();
            }
        } else {
            c.a();
            try {
                long i = d[0];
                Thread.sleep(h);
                if (d[1] != i || d[2] != i) {
                    f = "torn";
                }
            } finally {
                c.b();
            }
        }
        e.incrementAndGet();
    }

    private void a(b g, int h) throws InterruptedException {
        for (b i = g;; i = i.c()) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 14));
            if (h == 0) {
                i.e = 1;
            } else {
                i.f = 1;
            }
            i.b();
            i.a();
        }
    }

    private void a(b g) throws InterruptedException {
        for (b i = g;; i = i.c()) {
            i.a();
            if (i.e + i.f != 2) {
                f = "early";
            }
            e.incrementAndGet();
        }
    }

    private interface g {
        void a() throws InterruptedException;
    }

    private static void a(g h) {
        Thread i = new Thread(() -> {
            try {
                h.a();
            } catch (InterruptedException j) {
                return;
            }
        });
        i.setDaemon(true);
        i.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long h = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Qd i = new Qd();
        b j = new b();
        for (int k = 0; k < 2; k++) {
            int l = k;
            a(() -> i.a(j, l));
            a(() -> i.a(j));
        }
        for (int k = 0; k < 5; k++) {
            boolean l = k > 2;
            a(() -> {
                for (;;) {
                    i.a(l, 3);
                    Thread.sleep(ThreadLocalRandom.current().nextInt(4, 14));
                }
            });
        }
        System.out.println("READY");
        Thread.sleep(h * 1000);
        if (i.f != null) {
            System.out.println(i.f);
            System.exit(1);
        }
        System.out.println("DONE " + i.e);
    }
}
