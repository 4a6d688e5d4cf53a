// @lock EpochSync$a
// @type BARRIER parties=3
// @role arrive EpochSync$a.a
//
// @lock EpochSync$b
// @type CONDITION
// @role wait EpochSync$b.a
// @role notify EpochSync$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Snapshots of a stream job: three sources align at each checkpoint, and committers wait for checkpoints they have not committed. Obfuscated. */
public final class EpochSync {
    static final class a {
        private int a;
        private boolean b;

        boolean a() throws InterruptedException {
            synchronized (this) {
                boolean c = b;
                if (++a == 3) {
                    a = 0;
                    b = !c;
                    notifyAll();
                    return true;
                }
                do {
                    wait();
                } while (b == c);
                return false;
            }
        }
    }

    static final class b {
        private int a;

        synchronized int a(int c) throws InterruptedException {
            while (a <= c) {
                wait(250);
            }
            return a;
        }

        synchronized void b(int c) {
            a = Math.max(a, c);
            notifyAll();
        }
    }

    private static final AtomicIntegerArray c = new AtomicIntegerArray(6);
    private static final AtomicLong d = new AtomicLong();
    private static volatile boolean e;

    interface f {
        void a() throws InterruptedException;
    }

    static void a(f g) {
        Thread h = new Thread(() -> {
            try {
                g.a();
            } catch (InterruptedException i) {
                Thread.currentThread().interrupt();
            }
        });
        h.setDaemon(true);
        h.start();
    }

    static void a(a g, b h, int i, int j) throws InterruptedException {
        for (int k = 1; !e; k++) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            c.set(i + j, k);
            if (g.a()) {
                for (int l = 0; l < 3; l++) {
                    int m = c.get(i + l);
                    if (m < k || m > k + 1) {
                        e = true;
                    }
                }
                h.b(k);
            }
        }
    }

    static void a(b g) throws InterruptedException {
        for (int h = 0; !e; ) {
            int i = g.a(h);
            if (i <= h) {
                e = true;
            }
            h = i;
            d.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
        }
    }

    public static void main(String[] g) throws InterruptedException {
        long h = g.length > 0 ? Long.parseLong(g[0]) : 600;
        for (int i = 0; i < 6; i += 3) {
            int j = i;
            a k = new a();
            b l = new b();
            for (int m = 0; m < 3; m++) {
                int n = m;
                a(() -> a(k, l, j, n));
            }
            a(() -> a(l));
            a(() -> a(l));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(h * 1000);
        if (e) {
            throw new IllegalStateException("a source ran ahead of the others");
        }
        System.out.println("DONE " + d);
    }
}
