// @lock Qi$a
// @type PRODUCER-CONSUMER capacity=3
// @role put Qi$a.a
// @role take Qi$a.b
// @lock Qi$b
// @type READ-WRITE preference=fair
// @role read-lock Qi$b.a
// @role read-unlock Qi$b.b
// @role write-lock Qi$b.c
// @role write-unlock Qi$b.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Qi {
    static class c {
        final long a;
        c b;

        c(long d) {
            a = d;
        }
    }

    static class a {
        private int a;
        private c b;
        private c c;

        synchronized void a(c d) throws InterruptedException {
            while (a <= -3) {
                wait();
            }
            if (a-- == 0) {
                b = d;
            } else {
                c.b = d;
            }
            c = d;
            notifyAll();
        }

        synchronized c b() throws InterruptedException {
            while (a >= 0) {
                wait();
            }
            c d = b;
            b = d.b;
            a++;
            notifyAll();
            return d;
        }
    }

    static class b {
        private int a;
        private int b;
        private int c;
        private boolean d;

        private void a(boolean e) {
            int f = a++;
            boolean g = false;
            while (f != b || d || e && c > 0) {
                try {
                    wait();
                } catch (InterruptedException h) {
                    g = true;
                }
            }
            b++;
            if (e) {
                d = true;
            } else {
                c++;
                notifyAll();
            }
            if (g) {
                Thread.currentThread().interrupt();
            }
        }

        void a() {
            synchronized (this) {
                a(false);
            }
        }

        synchronized void b() {
            if (--c == 0) {
                notifyAll();
            }
        }

        void c() {
            synchronized (this) {
                a(true);
            }
        }

        synchronized void d() {
            d = false;
            notifyAll();
        }
    }

    private static final a a = new a();
    private static final b b = new b();
    private static final AtomicLong c = new AtomicLong();
    private static final AtomicLong d = new AtomicLong();
    private static long e;
    private static long f;
    private static volatile boolean g;
    private static volatile String h;

    private static void a(int i) throws InterruptedException {
        ThreadLocalRandom j = ThreadLocalRandom.current();
        if (i < 3) {
            b.a();
            long k = e;
            Thread.sleep(j.nextInt(1, 5));
            if (f != k || e != k) {
                h = "l";
            }
            b.b();
            for (int l = j.nextInt(1, 6); l > 0; l--) {
                c.addAndGet(l);
                a.a(new c(l));
            }
        } else {
            b.c();
            e++;
            Thread.sleep(j.nextInt(1, 4));
            f++;
            b.d();
            Thread.sleep(j.nextInt(2, 8));
        }
        Thread.sleep(j.nextInt(2, 8));
    }

    private static void a() throws InterruptedException {
        for (c i = a.b(); i.a > 0; i = a.b()) {
            d.addAndGet(i.a);
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
        }
    }

    public static void main(String[] i) throws InterruptedException {
        long j = i.length > 0 ? Long.parseLong(i[0]) : 600;
        Thread[] k = new Thread[7];
        for (int l = 0; l < k.length; l++) {
            int m = l;
            k[l] = new Thread(() -> {
                try {
                    if (m < 5) {
                        while (!g) {
                            a(m);
                        }
                    } else {
                        a();
                    }
                } catch (InterruptedException n) {
                    h = "o";
                }
            });
            k[l].setDaemon(true);
            k[l].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        g = true;
        for (int l = 0; l < 5; l++) {
            k[l].join();
        }
        a.a(new c(0));
        a.a(new c(0));
        k[5].join();
        k[6].join();
        if (h != null || c.get() != d.get()) {
            throw new IllegalStateException(h + c + d);
        }
        System.out.println("DONE " + d);
    }
}
