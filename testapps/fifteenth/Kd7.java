// Short errands, a thread each: who has sent one waits at the thread object until its last act marks the end, with and without time limit. (o)
// Between errands the senders pause by a timed wait that nobody ever ends early.
//
// @lock Kd7$b
// @type JOIN
// @role join Kd7$b.a
// @role join Kd7$b.b
//
// @lock Kd7$c
// @type DELAY
// @role delay Kd7$c.a
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Kd7 {

    abstract static class a extends Thread {
        boolean a;

        abstract void c() throws InterruptedException;

        @Override public void run() {
            try {
                c();
            } catch (InterruptedException e) {
                z = "interrupted";
            } finally {
                d();
            }
        }

        abstract void d();
    }

    static final class b extends a {
        final int b;
        volatile long c;

        b(int a) {
            b = a;
            setDaemon(true);
        }

        @Override void c() throws InterruptedException {
            w(2, 7);
            c = b * (long) b;
        }

        @Override synchronized void d() {
            a = true;
            notifyAll();
        }

        synchronized void a() throws InterruptedException {
            while (!a) wait();
        }

        synchronized boolean b(long b) throws InterruptedException {
            long c = System.currentTimeMillis() + b;
            for (long d = b; !a; d = c - System.currentTimeMillis()) {
                if (d <= 0) return false;
                wait(d);
            }
            return true;
        }
    }

    static final class c {
        private long a;

        synchronized void a(long b) {
            long c = System.nanoTime() + b * 1000000L;
            a++;
            for (;;) {
                long d = (c - System.nanoTime() + 999999L) / 1000000L;
                if (d <= 0) return;
                try {
                    wait(d);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    static void u() {
        for (int i = 0; i < 3; i++) {
            c a = new c();
            int b = i;
            v(() -> {
                int d = ThreadLocalRandom.current().nextInt(10000);
                b e = new b(d);
                b f = new b(d + 1);
                e.start();
                f.start();
                if (b == 0) {
                    while (!e.b(3)) x(e.b == d, "wrong errand");
                } else {
                    e.a();
                }
                f.a();
                x(e.c == (long) d * d && f.c > e.c, "errand not done");
                y.incrementAndGet();
                long g = System.nanoTime();
                int h = 4 + d % 12;
                a.a(h);
                x(System.nanoTime() - g >= h * 1000000L, "pause too short");
            });
        }
    }

    static final AtomicLong y = new AtomicLong();
    static volatile String z;

    interface Z { void a() throws InterruptedException; }

    static void x(boolean a, String b) { if (!a) z = b; }

    static void w(int a, int b) throws InterruptedException { Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1)); }

    static void v(Z a) {
        Thread t = new Thread(() -> {
            try {
                while (z == null) a.a();
            } catch (InterruptedException | RuntimeException e) {
                z = e.toString();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long a = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        u();
        System.out.println("READY");
        while (z == null && System.currentTimeMillis() < a) Thread.sleep(50);
        System.out.println(z == null ? "DONE " + y.get() : z);
        System.exit(z == null ? 0 : 1);
    }
}
