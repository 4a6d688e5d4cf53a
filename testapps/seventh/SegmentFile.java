// @lock SegmentFile$a
// @type MUTEX
// @role enter SegmentFile$a.b
// @role enter SegmentFile$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Records appended to numbered segments, which a second kind of thread compacts. Obfuscated. */
public final class SegmentFile {
    static class a {
        private long[] d = new long[16];
        private int e;
        private long f;

        int b(long g) throws InterruptedException {
            synchronized (this) {
                if (e == d.length) {
                    long[] h = new long[e * 2];
                    System.arraycopy(d, 0, h, 0, e);
                    d = h;
                }
                d[e++] = g;
                f += g;
                Thread.sleep(1);
                return e;
            }
        }

        synchronized boolean c() throws InterruptedException {
            long i = 0;
            for (int j = 0; j < e; j++) {
                i += d[j];
            }
            if (e > 8) {
                d[0] = i;
                e = 1;
            }
            Thread.sleep(1);
            return i == f;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long k = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a l = new a();
        AtomicLong m = new AtomicLong();
        AtomicBoolean n = new AtomicBoolean();
        for (int o = 0; o < 5; o++) {
            int p = o;
            Thread q = new Thread(() -> {
                try {
                    while (true) {
                        if (p < 3) {
                            l.b(ThreadLocalRandom.current().nextInt(100));
                        } else if (!l.c()) {
                            n.set(true);
                        }
                        m.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                    }
                } catch (InterruptedException r) {
                    n.set(true);
                }
            });
            q.setDaemon(true);
            q.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(k * 1000);
        if (n.get()) {
            throw new IllegalStateException("a segment does not add up");
        }
        System.out.println("DONE " + m);
    }
}
