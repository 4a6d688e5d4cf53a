// @lock Qa$b
// @type READ-WRITE preference=writers
// @role read-lock Qa$b.a
// @role read-unlock Qa$b.c
// @role write-lock Qa$b.b
// @role write-unlock Qa$b.c
// @lock Qa$d
// @type MUTEX+DELAY
// @role enter Qa$d.a
// @role enter Qa$d.c
// @role delay Qa$d.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Qa {
    static final class b {
        private int a; // obfuscated, counts down as well as up
        private int b;

        synchronized void a() throws InterruptedException {
            while (a < 0 || b > 0) {
                wait();
            }
            a++;
        }

        synchronized void b() throws InterruptedException {
            b++;
            boolean c = false;
            try {
                while (a != 0) {
                    wait();
                }
                c = true;
                a = -1;
            } finally {
                b--;
                if (!c) {
                    notifyAll();
                }
            }
        }

        synchronized void c() {
            a = a < 0 ? 0 : a - 1;
            if (a == 0) {
                notifyAll();
            }
        }
    }

    static final class d {
        private final int[] a = new int[8];
        private int b;
        private long c;

        synchronized void a(int e) throws InterruptedException {
            a[e & 7]++;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            b++;
        }

        synchronized void b(int e) throws InterruptedException {
            wait(e);
            if (f() != b) {
                throw new IllegalStateException("h");
            }
            if (b > 100) {
                for (int g = 0; g < a.length; g++) {
                    a[g] = 0;
                }
                b = 0;
                c++;
            }
        }

        synchronized long c() throws InterruptedException {
            Thread.sleep(1);
            if (f() != b) {
                throw new IllegalStateException("i");
            }
            return c;
        }

        private int f() {
            int e = 0;
            for (int g : a) {
                e += g;
            }
            return e;
        }
    }

    private static final AtomicLong a = new AtomicLong();
    private static volatile Exception b;
    private static volatile int c;
    private static volatile int d;

    private static void a(b e, d f, int g) throws InterruptedException {
        ThreadLocalRandom h = ThreadLocalRandom.current();
        if (g == 0) {
            f.b(h.nextInt(5, 15));
            return;
        }
        if (g < 4) {
            e.a();
            int i = c;
            Thread.sleep(h.nextInt(1, 5));
            if (i != d || c != i) {
                throw new IllegalStateException("j");
            }
            e.c();
            f.a(g + i);
        } else {
            e.b();
            int i = c;
            c = i + 1;
            Thread.sleep(h.nextInt(1, 3));
            if (d != i) {
                throw new IllegalStateException("k");
            }
            d = i + 1;
            e.c();
            f.c();
            Thread.sleep(h.nextInt(4, 9));
        }
        a.incrementAndGet();
        Thread.sleep(h.nextInt(1, 5));
    }

    public static void main(String[] e) throws InterruptedException {
        long f = e.length > 0 ? Long.parseLong(e[0]) : 600;
        b g = new b();
        d h = new d();
        for (int i = 0; i < 6; i++) {
            int j = i;
            Thread k = new Thread(() -> {
                try {
                    while (b == null) {
                        a(g, h, j);
                    }
                } catch (Exception l) {
                    b = l;
                }
            });
            k.setDaemon(true);
            k.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(f * 1000);
        if (b != null) {
            throw new IllegalStateException(b);
        }
        System.out.println("DONE " + a);
    }
}
