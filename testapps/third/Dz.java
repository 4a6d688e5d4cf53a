// @lock Dz$a
// @type JOIN
// @role join Dz.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Dz {
    static final class a extends Thread {
        private final int b;
        int c;

        a(int b) {
            this.b = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                sleep(ThreadLocalRandom.current().nextInt(2, 9));
                for (int d = 0; d < 5_000; d++) {
                    c = c * 31 + b;
                }
                c |= 1;
            } catch (InterruptedException d) {
                c = 0;
            }
        }
    }

    static int a(a b) {
        synchronized (b) {
            while (b.isAlive()) {
                try {
                    b.wait(50);
                } catch (InterruptedException c) {
                    Thread.currentThread().interrupt();
                    return 0;
                }
            }
        }
        return b.c;
    }

    static volatile boolean d;
    static volatile boolean e;
    static final AtomicLong f = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long g = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] h = new Thread[3];
        for (int i = 0; i < 3; i++) {
            h[i] = new Thread(() -> {
                while (!d) {
                    a j = new a(3);
                    a k = new a(4);
                    j.start();
                    k.start();
                    if (a(j) == 0 || a(k) == 0) {
                        e = true;
                    }
                    f.addAndGet(2);
                }
            });
            h[i].setDaemon(true);
            h[i].start();
        }
        System.out.println("READY");
        Thread.sleep(g * 1000);
        d = true;
        for (Thread l : h) {
            l.join(5_000);
        }
        if (e || f.get() == 0) {
            throw new IllegalStateException("e");
        }
        System.out.println("DONE " + f);
    }
}
