// @lock java.lang.Object#b
// @type DELAY
// @role delay Fz$c.b

import java.util.concurrent.atomic.AtomicLong;

/** Game loops that cap their frame rate with a wait of milliseconds and nanoseconds; names as an obfuscator leaves them. */
public final class Fz {
    abstract static class c implements Runnable {
        private final Object a = new Object();
        private final int b;
        private long d;

        c(int i) {
            b = 1000000000 / i;
        }

        abstract void a(int i);

        private void b(long l) throws InterruptedException {
            long l2 = b - (System.nanoTime() - l);
            if (l2 <= 0L) {
                return;
            }
            synchronized (a) {
                a.wait(l2 / 1000000L, (int) (l2 % 1000000L));
            }
        }

        @Override
        public void run() {
            int i = 0;
            try {
                do {
                    d = System.nanoTime();
                    a(i++);
                    b(d);
                } while (!Thread.interrupted());
            } catch (InterruptedException interruptedexception) {
                return;
            }
        }
    }

    static final class d extends c {
        private int[] a = new int[256];

        d(int i) {
            super(i);
        }

        @Override
        void a(int i) {
            int k = 0;
            for (int j = 0; j < a.length; j++) {
                a[j] += i & j;
                k ^= a[j];
            }
            if (i != (int) e.getAndIncrement(this)) {
                f = true;
            }
            g = k;
        }

        private final e e = new e();
    }

    static final class e {
        private long a;

        long getAndIncrement(Object o) {
            b.incrementAndGet();
            return a++;
        }
    }

    private static final AtomicLong b = new AtomicLong();
    private static volatile boolean f;
    static volatile int g;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(new d(90 + 30 * i));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (f) {
            throw new IllegalStateException("a frame was lost");
        }
        long frames = b.get();
        if (frames > (seconds + 2) * 600) {
            throw new IllegalStateException("too many frames: " + frames);
        }
        System.out.println("DONE " + frames);
    }
}
