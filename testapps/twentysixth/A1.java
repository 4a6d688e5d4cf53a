// @lock A1$b
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock A1$b.a
// @role read-unlock A1$b.b
// @role write-lock A1$b.c
// @role write-unlock A1$b.d
//
// @lock A1$e
// @type MUTEX
// @role enter A1$e.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Replicated directory: who reads is a bit in a word, the editor is the sign bit. */
public class A1 {

    static final class b {
        private static final long W = Long.MIN_VALUE;
        private long c;

        synchronized void a(int i) throws InterruptedException {
            while ((c & W) != 0) {
                wait();
            }
            c |= 1L << i;
        }

        synchronized void b(int i) {
            c &= ~(1L << i);
            if (c == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (c != 0) {
                wait();
            }
            c = W;
        }

        synchronized void d() {
            c = 0;
            notifyAll();
        }
    }

    static final class e {
        private int a;
        private int b;

        synchronized void a(int k) throws InterruptedException {
            a += k;
            Thread.sleep(1);
            b += k;
            if (a != b) {
                f = "a " + a + " b " + b;
            }
        }
    }

    static volatile String f;
    static final AtomicLong g = new AtomicLong();
    static final b h = new b();
    static final e i = new e();
    static final int[] j = new int[4];

    static void k(int n) throws InterruptedException {
        while (true) {
            h.a(n);
            try {
                int x = j[0];
                Thread.sleep(2);
                for (int y : j) {
                    if (y != x) {
                        f = "half an edit: " + x + " and " + y;
                    }
                }
            } finally {
                h.b(n);
            }
            i.a(n);
            g.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
        }
    }

    static void l() throws InterruptedException {
        while (true) {
            h.c();
            try {
                for (int m = 0; m < j.length; m++) {
                    j[m]++;
                    if (m == 1) {
                        Thread.sleep(1);
                    }
                }
            } finally {
                h.d();
            }
            i.a(1);
            Thread.sleep(4);
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int n = 0; n < 6; n++) {
            final int m = n;
            Thread t = new Thread("t" + n) {
                @Override public void run() {
                    try {
                        if (m < 4) {
                            k(m);
                        } else {
                            l();
                        }
                    } catch (InterruptedException x) {
                        f = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && f == null) {
            Thread.sleep(50);
        }
        System.out.println(f == null ? "DONE " + g.get() : "FAULT " + f);
        System.exit(f == null ? 0 : 1);
    }
}
