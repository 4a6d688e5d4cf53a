// @lock KioskDay$a
// @type SEMAPHORE+MUTEX permits=3
// @role acquire KioskDay$a.b
// @role release KioskDay$a.c
// @role enter KioskDay$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Three seats at a kiosk, and under the same monitor the tips, which the staff share out as they go. Obfuscated. */
public final class KioskDay {
    static final class a {
        private int e = 3;
        private final long[] f = new long[3];
        private long g;

        synchronized void b() throws InterruptedException {
            while (e <= 0) {
                wait();
            }
            e--;
        }

        synchronized void c() {
            e++;
            notify();
        }

        synchronized boolean d(int h, int i) {
            f[h] += i;
            g += i;
            LockSupport.parkNanos(500_000);
            return f[0] + f[1] + f[2] == g;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long j = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a k = new a();
        AtomicInteger l = new AtomicInteger();
        AtomicInteger m = new AtomicInteger();
        AtomicBoolean n = new AtomicBoolean();
        for (int o = 0; o < 9; o++) {
            int p = o;
            Thread q = new Thread(() -> {
                try {
                    while (true) {
                        if (p < 3) {
                            if (!k.d(p, ThreadLocalRandom.current().nextInt(9))) {
                                n.set(true);
                            }
                        } else {
                            k.b();
                            if (l.incrementAndGet() > 3) {
                                n.set(true);
                            }
                            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                            l.decrementAndGet();
                            k.c();
                            m.incrementAndGet();
                        }
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
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
        Thread.sleep(j * 1000);
        if (n.get()) {
            throw new IllegalStateException("a fourth guest, or tips were lost");
        }
        System.out.println("DONE " + m);
    }
}
