// @lock Zk$a
// @type SEMAPHORE permits=6
// @role acquire Zk$a.a
// @role release Zk$a.b

// @lock Zk$b
// @type CONDITION
// @role wait Zk$b.a
// @role notify Zk$b.a

// @lock Zk$d
// @type NOT-SHARED
// @role enter Zk$d.a
// @quiet

// @lock Zk$e
// @type DELAY
// @role delay Zk$e.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Six places in the bits of one number; three who act in turn; a book of one's own; a pause that doubles. Shrunk. */
public class Zk {
    static class a {
        long a = 0b111111L;

        synchronized int a() throws InterruptedException {
            while (a == 0L) {
                wait();
            }
            int b = Long.numberOfTrailingZeros(a);
            a &= ~(1L << b);
            return b;
        }

        synchronized void b(int b) {
            a |= 1L << b;
            notify();
        }
    }

    enum c { X, Y, Z }

    static class b {
        c a = c.X;
        final StringBuilder b = new StringBuilder();

        void a(c d) throws InterruptedException {
            synchronized (this) {
                while (a != d) {
                    wait();
                }
                b.append(d);
                if (b.length() == 99) {
                    if (!b.toString().startsWith("XYZXYZ")) {
                        f = "turn";
                    }
                    b.setLength(0);
                }
                a = c.values()[(d.ordinal() + 1) % 3];
                notifyAll();
            }
        }
    }

    static class d {
        private final int[] a = new int[64];

        synchronized int a(int b) {
            return ++a[b & 63];
        }
    }

    static class e {
        private int a = 1;

        synchronized void a() throws InterruptedException {
            long b = System.nanoTime() + a * 1000000L;
            for (long c = a; c > 0; c = (b - System.nanoTime() + 999999L) / 1000000L) {
                wait(c);
            }
            a = a >= 16 ? 1 : a << 1;
        }
    }

    static volatile String f;
    static final AtomicInteger g = new AtomicInteger();
    static final AtomicIntegerArray h = new AtomicIntegerArray(6);

    static abstract class i extends Thread {
        final d a = new d();
        int b;

        abstract void j() throws InterruptedException;

        @Override
        public void run() {
            try {
                for (; f == null; b++) {
                    j();
                    a.a(b);
                    g.incrementAndGet();
                }
            } catch (InterruptedException k) {
                f = "" + k;
            }
        }

        void l() {
            setDaemon(true);
            start();
        }
    }

    public static void main(String[] z) throws Exception {
        final a y = new a();
        final b x = new b();
        for (int w = 0; w < 10; w++) {
            new i() {
                @Override
                void j() throws InterruptedException {
                    int v = y.a();
                    if (h.incrementAndGet(v) != 1) {
                        f = "place";
                    }
                    sleep(ThreadLocalRandom.current().nextInt(1, 9));
                    h.decrementAndGet(v);
                    y.b(v);
                    sleep(ThreadLocalRandom.current().nextInt(0, 3));
                }
            }.l();
        }
        for (final c u : c.values()) {
            new i() {
                @Override
                void j() throws InterruptedException {
                    x.a(u);
                    sleep(ThreadLocalRandom.current().nextInt(0, 3));
                }
            }.l();
        }
        for (int w = 0; w < 2; w++) {
            new i() {
                private final e t = new e();

                @Override
                void j() throws InterruptedException {
                    t.a();
                }
            }.l();
        }
        System.out.println("READY");
        Thread.sleep(1000L * (z.length > 0 ? Integer.parseInt(z[0]) : 600));
        if (f != null) {
            System.out.println(f);
            System.exit(1);
        }
        System.out.println("DONE " + g);
    }
}
