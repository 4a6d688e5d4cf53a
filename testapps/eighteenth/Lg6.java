// @lock Lg6$c
// @type BARRIER parties=4
// @role arrive Lg6$c.a
// @lock Lg6$e
// @type DELAY
// @role delay Lg6$e.a

import java.util.concurrent.atomic.AtomicLong;

/** A relaxation grid in four strips; between two sweeps all strips meet (sense reversal). Every strip has its own pacing. */
public class Lg6 {
    static volatile String f;
    static final AtomicLong g = new AtomicLong();
    static final int[] h = new int[4];

    abstract static class b {
        protected boolean a;
        protected final boolean[] b;

        b(int n) {
            b = new boolean[n];
        }

        abstract void a(int i) throws InterruptedException;

        boolean c(boolean s) {
            for (boolean x : b) {
                if (x != s) {
                    return false;
                }
            }
            return true;
        }
    }

    static class c extends b {
        c() {
            super(4);
        }

        @Override
        synchronized void a(int i) throws InterruptedException {
            boolean s = !b[i];
            b[i] = s;
            if (c(s)) {
                a = s;
                g.incrementAndGet();
                notifyAll();
                return;
            }
            while (a != s) {
                wait();
            }
        }
    }

    static class e {
        private long a = System.nanoTime();

        /** Until the given time after the last return. */
        synchronized void a(long x) throws InterruptedException {
            long t = Math.max(a + x, System.nanoTime() + 1000000L);
            for (long r = t - System.nanoTime(); r > 0; r = t - System.nanoTime()) {
                wait(r / 1000000L + 1);
            }
            a = System.nanoTime();
        }
    }

    static class d implements Runnable {
        private final b a;
        private final e b = new e();
        private final int c;

        d(b a, int c) {
            this.a = a;
            this.c = c;
        }

        @Override
        public void run() {
            try {
                while (f == null) {
                    h[c]++;
                    b.a((2 + (h[c] * 3 + c * 5) % 7) * 1000000L);
                    a.a(c);
                    for (int x : h) {
                        if (x != h[c]) {
                            f = "sweeps out of step";
                        }
                    }
                    a.a(c);
                }
            } catch (InterruptedException x) {
                f = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        c a = new c();
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(new d(a, i));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long o = -1;
        for (int i = 0; i < 2 * s && f == null; i++) {
            Thread.sleep(500);
            if (o == g.get()) {
                f = "no sweep";
            }
            o = g.get();
        }
        if (f != null) {
            System.out.println(f);
            System.exit(1);
        }
        System.out.println("DONE " + g);
        System.exit(0);
    }
}
