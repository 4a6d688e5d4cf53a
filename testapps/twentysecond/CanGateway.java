// @lock CanGateway$b
// @type LOCK reentrant=true
// @role lock CanGateway$b.a
// @role unlock CanGateway$b.b
//
// @lock CanGateway$c
// @type PRODUCER-CONSUMER capacity=8
// @role put CanGateway$c.a
// @role take CanGateway$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** In-vehicle gateway: modules own the slow bus while they run multi-frame requests (which nest); received frames pass through a ring of eight. */
public class CanGateway {
    static volatile boolean x;
    static volatile String y;
    static final AtomicLong z = new AtomicLong();

    static final class b {
        private Thread a;
        private int b;

        synchronized void a() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (a != null && a != t) wait();
            a = t;
            b++;
        }

        synchronized void b() {
            if (a != Thread.currentThread()) throw new IllegalMonitorStateException();
            if (--b == 0) {
                a = null;
                notify();
            }
        }
    }

    static final class c {
        private final long[] a = new long[8];
        private int b, c;

        synchronized void a(long l) throws InterruptedException {
            while (b - c == a.length) wait();
            a[b++ & 7] = l;
            notifyAll();
        }

        synchronized long b() throws InterruptedException {
            while (b == c) wait();
            long l = a[c++ & 7];
            notifyAll();
            return l;
        }
    }

    static final b d = new b();
    static final c e = new c();
    static int f, g;
    static final AtomicLong in = new AtomicLong(), out = new AtomicLong();

    static void h() throws InterruptedException {
        d.a();
        try {
            f++;
            Thread.sleep(1);
            g++;
            if (f != g) y = "bus used by two";
        } finally {
            d.b();
        }
    }

    static void i() throws InterruptedException {
        d.a();
        try {
            int n = f;
            for (int k = ThreadLocalRandom.current().nextInt(1, 4); k > 0; k--) {
                h();
                n++;
            }
            if (f != n) y = "request torn apart";
        } finally {
            d.b();
        }
    }

    static class j extends Thread {
        final int a;
        j(int a) { this.a = a; setDaemon(true); }

        @Override public void run() {
            try {
                while (!x) {
                    switch (a) {
                        case 0:
                            i();
                            Thread.sleep(3);
                            break;
                        case 1:
                            for (int k = ThreadLocalRandom.current().nextInt(14); k >= 0; k--) {
                                long v = ThreadLocalRandom.current().nextLong(1000);
                                in.addAndGet(v);
                                e.a(v);
                            }
                            Thread.sleep(ThreadLocalRandom.current().nextInt(10, 30));
                            break;
                        default:
                            out.addAndGet(e.b());
                            if (out.get() > in.get()) y = "frames out of nothing";
                            Thread.sleep(2);
                    }
                    z.incrementAndGet();
                }
            } catch (InterruptedException ex) {
                y = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        int[] k = {0, 0, 0, 0, 1, 1, 2, 2};
        for (int q : k) new j(q).start();
        System.out.println("READY");
        long t = System.nanoTime();
        while (System.nanoTime() - t < s * 1000000000L && y == null) Thread.sleep(30);
        x = true;
        if (y != null) {
            System.out.println(y);
            System.exit(1);
        }
        System.out.println("DONE " + z);
    }
}
