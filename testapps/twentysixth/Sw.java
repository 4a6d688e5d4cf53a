// @lock Sw$b
// @type BARRIER parties=2 form=exchanger
// @role arrive Sw$b.a
//
// @lock Sw$d
// @type SEMAPHORE permits=2
// @role acquire Sw$d.a
// @role release Sw$d.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Log buffers swapped between a filling and a draining thread; who fills or drains needs one of two channels. */
public class Sw {

    static final class a {
        Object a;
        Object b;
        boolean c;
    }

    static final class b {
        private a a;

        Object a(Object c) throws InterruptedException {
            synchronized (this) {
                a d = a;
                if (d != null) {
                    a = null;
                    d.b = c;
                    d.c = true;
                    notifyAll();
                    return d.a;
                }
                d = new a();
                d.a = c;
                a = d;
                while (!d.c) {
                    wait();
                }
                return d.b;
            }
        }
    }

    static final class d {
        private int b = 3;

        synchronized int a() throws InterruptedException {
            while (b == 0) {
                wait();
            }
            int c = Integer.lowestOneBit(b);
            b ^= c;
            return c;
        }

        synchronized void b(int c) {
            if ((b & c) != 0) {
                f = "channel " + c + " is free already";
            }
            b |= c;
            notify();
        }
    }

    static final class e {
        final int a;
        volatile boolean b;

        e(int a) {
            this.a = a;
        }
    }

    static volatile String f;
    static final AtomicLong g = new AtomicLong();
    static final d h = new d();

    static final class i extends Thread {
        private final b a;
        private final boolean b;
        private e c;

        i(b a, boolean b, int c) {
            this.a = a;
            this.b = b;
            this.c = new e(c);
            this.c.b = !b;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                while (true) {
                    int j = h.a();
                    try {
                        if (c.b == b) {
                            f = "buffer " + c.a + (b ? " is full" : " is empty");
                        }
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                        c.b = b;
                    } finally {
                        h.b(j);
                    }
                    e k = c;
                    c = (e) a.a(k);
                    if (c == k) {
                        f = "own buffer back";
                    }
                    g.incrementAndGet();
                }
            } catch (InterruptedException j) {
                f = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int j = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int k = 0; k < 3; k++) {
            b l = new b();
            new i(l, true, 2 * k).start();
            new i(l, false, 2 * k + 1).start();
        }
        System.out.println("READY");
        long k = System.currentTimeMillis() + j * 1000L;
        while (System.currentTimeMillis() < k && f == null) {
            Thread.sleep(50);
        }
        System.out.println(f == null ? "DONE " + g.get() : "FAULT " + f);
        System.exit(f == null ? 0 : 1);
    }
}
