// Five computer players that end their turns together, one bit for each; and idle animations that pause. (obfuscated)
// @lock Ew$a
// @type BARRIER parties=5
// @role arrive Ew$a.a
//
// @lock Ew$c
// @type DELAY
// @role delay Ew$c.b
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class Ew {
    static final AtomicLong a = new AtomicLong();

    static class a {
        private final int a;
        private int b;
        private Object c = new Object();

        a(int d) {
            a = (1 << d) - 1;
        }

        synchronized void a(int d) throws InterruptedException {
            if ((b & 1 << d) != 0) Ew.a("a");
            b |= 1 << d;
            if (b == a) {
                b = 0;
                c = new Object();
                notifyAll();
                return;
            }
            Object e = c;
            while (e == c) wait();
        }
    }

    static class b extends Thread {
        static final AtomicIntegerArray a = new AtomicIntegerArray(5);
        final a b;
        final int c;

        b(a b, int c) {
            this.b = b;
            this.c = c;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                for (int d = 1; ; d++) {
                    sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    a.set(c, d);
                    b.a(c);
                    for (int e = 0; e < a.length(); e++) {
                        int f = a.get(e);
                        if (f < d || f > d + 1) Ew.a("b");
                    }
                    Ew.a.incrementAndGet();
                }
            } catch (InterruptedException d) {
                Ew.a("i");
            }
        }
    }

    static class c implements Runnable {
        private final int[] a;
        private int b;

        c(int... a) {
            this.a = a;
        }

        private void a(long c) throws InterruptedException {
            while (true) {
                long d = c - System.currentTimeMillis();
                if (d <= 0) break;
                wait(d);
            }
        }

        private synchronized int b() throws InterruptedException {
            a(System.currentTimeMillis() + a[b]);
            b = (b + 1) % a.length;
            return b;
        }

        @Override public void run() {
            try {
                int c = 0;
                for (;;) {
                    int d = b();
                    if (d != (c + 1) % a.length) Ew.a("c");
                    c = d;
                    Ew.a.incrementAndGet();
                }
            } catch (InterruptedException c) {
                Ew.a("i");
            }
        }
    }

    static void a(String b) {
        System.out.println("BROKEN " + b);
        System.exit(1);
    }

    public static void main(String[] b) throws Exception {
        a c = new a(5);
        for (int d = 0; d < 5; d++) new b(c, d).start();
        c[] e = {new c(4, 6, 8), new c(10, 5), new c(7, 7, 12, 3)};
        for (c f : e) {
            Thread g = new Thread(f);
            g.setDaemon(true);
            g.start();
        }
        System.out.println("READY");
        Thread.sleep((b.length > 0 ? Integer.parseInt(b[0]) : 600) * 1000L);
        System.out.println("DONE " + a.get());
    }
}
