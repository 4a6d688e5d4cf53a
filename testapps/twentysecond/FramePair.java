// @lock FramePair$x
// @type BARRIER parties=2 form=exchanger
// @role arrive FramePair$x.a
//
// @lock FramePair$y
// @type CONDITION
// @role wait FramePair$y.a
// @role notify FramePair$y.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Grabber and encoder of a surveillance channel exchange buffers, three channels; monitors show any picture newer than their last. */
public class FramePair {
    static volatile boolean p;
    static volatile String q;
    static final AtomicLong r = new AtomicLong();

    static final class z {
        byte[] a, b;
        boolean c;
    }

    static final class x {
        private z a;

        synchronized byte[] a(byte[] m) throws InterruptedException {
            z o = a;
            if (o == null) {
                a = o = new z();
                o.a = m;
                while (!o.c) wait();
                return o.b;
            }
            a = null;
            o.b = m;
            o.c = true;
            notifyAll();
            return o.a;
        }
    }

    static final class y {
        private long a;
        private int b;

        synchronized long a(long s) throws InterruptedException {
            if (a <= s) {
                b++;
                do wait(200); while (a <= s);
                b--;
            }
            return a;
        }

        synchronized void b() {
            a++;
            if (b > 0) notifyAll();
        }
    }

    static final y o = new y();

    static void a(x l, boolean w) {
        byte[] m = new byte[32];
        try {
            while (!p) {
                if (w) {
                    if (m[0] != 0) q = "buffer not emptied";
                    java.util.Arrays.fill(m, (byte) 7);
                } else {
                    java.util.Arrays.fill(m, (byte) 0);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 10));
                m = l.a(m);
                if (!w) {
                    for (byte k : m) if (k != 7) q = "picture incomplete";
                    o.b();
                }
                r.incrementAndGet();
            }
        } catch (InterruptedException e) {
            q = "interrupted";
        }
    }

    static void b() {
        long s = 0;
        try {
            while (!p) {
                long n = o.a(s);
                if (n <= s) q = "old picture shown";
                s = n;
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            q = "interrupted";
        }
    }

    static void c(Runnable k) {
        Thread t = new Thread(k);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            x l = new x();
            c(() -> a(l, true));
            c(() -> a(l, false));
        }
        c(FramePair::b);
        c(FramePair::b);
        System.out.println("READY");
        long t = System.nanoTime() + s * 1000000000L;
        while (System.nanoTime() < t && q == null) Thread.sleep(40);
        p = true;
        System.out.println(q == null ? "DONE " + r : q);
        System.exit(q == null ? 0 : 1);
    }
}
