// @lock Mq$a
// @type BARRIER parties=4
// @role arrive Mq$a.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Message matching in epochs: four cells work on an epoch, and nobody starts the next before all are there. */
public class Mq {

    static class a {
        private Object a = new Object();
        private int b;
        private final int c;

        a(int c) {
            this.c = c;
        }

        void a() throws InterruptedException {
            synchronized (this) {
                final Object d = a;
                if (++b < c) {
                    do {
                        wait();
                    } while (d == a);
                } else {
                    b();
                }
            }
        }

        private void b() {
            b = 0;
            a = new Object();
            notifyAll();
        }
    }

    static volatile String b;
    static final AtomicLong c = new AtomicLong();

    static final class d implements Runnable {
        private final a a;
        private final AtomicInteger[] b;
        private final int c;

        d(a a, AtomicInteger[] b, int c) {
            this.a = a;
            this.b = b;
            this.c = c;
        }

        private void a(int e) throws InterruptedException {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            b[c].set(e);
            a.a();
            for (AtomicInteger f : b) {
                int g = f.get();
                if (g < e || g > e + 1) {
                    Mq.b = "epoch " + g + " beside " + e;
                }
            }
        }

        @Override public void run() {
            int e = 0;
            try {
                while (true) {
                    a(++e);
                    Mq.c.incrementAndGet();
                }
            } catch (InterruptedException f) {
                Mq.b = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int e = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int f = 0; f < 2; f++) {
            a g = new a(4);
            AtomicInteger[] h = new AtomicInteger[4];
            for (int i = 0; i < h.length; i++) {
                h[i] = new AtomicInteger();
            }
            for (int i = 0; i < h.length; i++) {
                Thread j = new Thread(new d(g, h, i));
                j.setDaemon(true);
                j.start();
            }
        }
        System.out.println("READY");
        long f = System.currentTimeMillis() + e * 1000L;
        while (System.currentTimeMillis() < f && b == null) {
            Thread.sleep(50);
        }
        System.out.println(b == null ? "DONE " + c.get() : "FAULT " + b);
        System.exit(b == null ? 0 : 1);
    }
}
