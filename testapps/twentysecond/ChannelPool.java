// @lock java.lang.Class#c
// @type SEMAPHORE+MUTEX permits=4
// @role acquire ChannelPool$a.c
// @role release ChannelPool$a.d
// @role enter ChannelPool$a.e
// @role enter ChannelPool$a.f
//
// @lock java.lang.Object#g
// @type DELAY
// @role delay ChannelPool$b.g

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A base station of a trunked radio: four speech channels and the fault table are kept by one class, all static; handsets that got no channel wait a random slot. */
public class ChannelPool {
    static volatile boolean h;
    static volatile String i;
    static final AtomicLong j = new AtomicLong();
    static final AtomicInteger k = new AtomicInteger();

    static class a {
        private static int[] a = {3, 2, 1, 0};
        private static int b = 4;
        private static final long[] g = new long[8];
        private static long h;

        static synchronized int c() throws InterruptedException {
            while (b == 0) a.class.wait();
            return a[--b];
        }

        static synchronized void d(int n) {
            a[b++] = n;
            a.class.notify();
        }

        static synchronized void e(int n) throws InterruptedException {
            g[n]++;
            Thread.sleep(1);
            h++;
        }

        static synchronized long f() throws InterruptedException {
            long s = 0;
            for (long q : g) s += q;
            Thread.sleep(1);
            if (s != h) i = "fault table wrong";
            return s;
        }
    }

    static class b extends Thread {
        private final Object d = new Object();
        private long b;

        b() { setDaemon(true); }

        boolean g() throws InterruptedException {
            int n = ThreadLocalRandom.current().nextInt(2, 9);
            b = System.nanoTime() + n * 1000000L;
            synchronized (d) {
                for (;;) {
                    long l = b - System.nanoTime();
                    if (l <= 0) return true;
                    d.wait(l / 1000000L + 1);
                }
            }
        }

        @Override public void run() {
            try {
                while (!h) {
                    if (!g() || System.nanoTime() < b) i = "slot too short";
                    int n = a.c();
                    if (k.incrementAndGet() > 4) i = "five on the air";
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                    k.decrementAndGet();
                    a.d(n);
                    if (n == 2) a.e(n + 1);
                    j.incrementAndGet();
                }
            } catch (InterruptedException x) {
                i = "interrupted";
            }
        }
    }

    static void l() {
        try {
            long n = 0;
            while (!h) {
                long m = a.f();
                if (m < n) i = "faults vanished";
                n = m;
                Thread.sleep(6);
            }
        } catch (InterruptedException x) {
            i = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int n = 0; n < 10; n++) new b().start();
        for (int n = 0; n < 2; n++) {
            Thread t = new Thread(ChannelPool::l);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int n = 0; n < s * 25 && i == null; n++) Thread.sleep(40);
        h = true;
        System.out.println(i == null ? "DONE " + j : i);
        System.exit(i == null ? 0 : 1);
    }
}
