// @lock PrivateTape$t
// @type NOT-SHARED
// @quiet

import java.util.concurrent.atomic.AtomicLongArray;

/** Each recorder owns a tape that would wake readers, had anybody ever come to read. Shipped through an obfuscator. */
public final class PrivateTape extends Thread {
    static class t {
        private final int[] a = new int[64];
        private int b;
        private int c;

        void d(int e) {
            synchronized (this) {
                a[b++ & 63] = e;
                c += e;
                notifyAll();
            }
        }

        int f() {
            int g = 0;
            synchronized (this) {
                for (int h : a) {
                    g += h;
                }
            }
            return g;
        }
    }

    private static final AtomicLongArray j = new AtomicLongArray(3);
    private static volatile boolean k;

    private final int l;

    private PrivateTape(int m) {
        super("recorder-" + m);
        l = m;
        setDaemon(true);
    }

    @Override
    public void run() {
        t n = new t();
        for (int o = 1; !isInterrupted(); o++) {
            n.d(1);
            if (n.f() != Math.min(o, 64) || n.c != o) {
                k = true;
            }
            j.incrementAndGet(l);
            try {
                sleep(1);
            } catch (InterruptedException p) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long q = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int r = 0; r < j.length(); r++) {
            new PrivateTape(r).start();
        }
        System.out.println("READY");
        System.out.flush();
        sleep(q * 1000);
        if (k) {
            throw new IllegalStateException("a tape lost a record");
        }
        System.out.println("DONE " + (j.get(0) + j.get(1) + j.get(2)));
    }
}
