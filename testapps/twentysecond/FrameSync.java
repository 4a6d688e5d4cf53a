// @lock FrameSync$a
// @type BARRIER parties=3
// @role arrive FrameSync$a.a
//
// @lock FrameSync$b
// @type DELAY
// @role delay FrameSync$b.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Video, graphics and subtitle planes of a set-top box that meet once a frame, two pipelines of them; heartbeat lamps blink by timed waits. */
public class FrameSync {
    static volatile boolean c;
    static volatile String d;
    static final AtomicLong e = new AtomicLong();

    static class a {
        private int a;
        private Object b = new Object();

        /** The token stands for the generation. */
        void a() throws InterruptedException {
            synchronized (this) {
                Object o = b;
                a++;
                if (a < 3) {
                    while (o == b) wait();
                    return;
                }
                a = 0;
                b = new Object();
                notifyAll();
            }
        }
    }

    static class b extends Thread {
        private int a = 4;
        int lit;

        b() { setDaemon(true); }

        private void a(int n) throws InterruptedException {
            long t = System.currentTimeMillis() + n;
            synchronized (this) {
                long k;
                while ((k = t - System.currentTimeMillis()) > 0) this.wait(k);
                lit++;
            }
        }

        @Override public void run() {
            try {
                while (!c) {
                    int l = lit;
                    a(a);
                    if (lit != l + 1) d = "lamp touched by another";
                    a = a == 4 ? 11 : 4;
                    e.incrementAndGet();
                }
            } catch (InterruptedException x) {
                d = "lamp interrupted";
            }
        }
    }

    static class f implements Runnable {
        final a a;
        final int b;
        final int[] h;

        f(a a, int b, int[] h) {
            this.a = a;
            this.b = b;
            this.h = h;
        }

        @Override public void run() {
            try {
                for (int n = 1; !c; n++) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
                    h[b] = n;
                    a.a();
                    for (int q : h) if (q < n || q > n + 1) d = "planes apart: " + q + " at " + n;
                    e.incrementAndGet();
                }
            } catch (InterruptedException x) {
                d = "plane interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            a m = new a();
            int[] h = new int[3];
            for (int j = 0; j < 3; j++) {
                Thread t = new Thread(new f(m, j, h));
                t.setDaemon(true);
                t.start();
            }
        }
        for (int i = 0; i < 3; i++) new b().start();
        System.out.println("READY");
        long t = System.currentTimeMillis() + 1000L * s;
        while (System.currentTimeMillis() < t && d == null) Thread.sleep(25);
        c = true;
        String m = d;
        if (m != null) {
            System.out.println(m);
            System.exit(1);
        }
        System.out.println("DONE " + e);
        System.exit(0);
    }
}
