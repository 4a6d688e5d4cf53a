// @lock Tz$a
// @type SEMAPHORE permits=2
// @role acquire Tz$a.d
// @role release Tz$a.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A limit with a deadline, written the wrong way round. Obfuscated. */
public class Tz {
    static class a {
        private int b;
        private final int c;

        a(String f) {
            c = f.length();
        }

        boolean d(long f) throws InterruptedException {
            long g = System.nanoTime() + f * 1000000;
            synchronized (this) {
                while (!(b < c)) {
                    long h = (g - System.nanoTime()) / 1000000;
                    if (!(h > 0)) {
                        return false;
                    }
                    wait(h);
                }
                b++;
                return true;
            }
        }

        void e() {
            synchronized (this) {
                try {
                    --b;
                    if (b < 0) {
                        throw new IllegalStateException("" + b);
                    }
                } finally {
                    notify();
                }
            }
        }
    }

    public static void main(String[] i) throws InterruptedException {
        long j = i.length > 0 ? Long.parseLong(i[0]) : 600;
        final a k = new a("io");
        final AtomicIntegerArray l = new AtomicIntegerArray(3);
        for (int m = 0; m < 5; m++) {
            final int n = m;
            Thread o = new Thread(() -> {
                try {
                    while (true) {
                        if (!k.d(n == 0 ? 3 : 400)) {
                            l.incrementAndGet(2);
                            continue;
                        }
                        try {
                            if (l.incrementAndGet(0) > 2) {
                                System.out.println("three in");
                                System.exit(1);
                            }
                            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(3));
                            l.decrementAndGet(0);
                        } finally {
                            k.e();
                        }
                        l.incrementAndGet(1);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                    }
                } catch (InterruptedException p) {
                    Thread.currentThread().interrupt();
                }
            });
            o.setDaemon(true);
            o.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        System.out.println("DONE " + l.get(1));
        System.exit(l.get(1) > 0 ? 0 : 1);
    }
}
