// @lock PostOffice$Franking
// @type SEMAPHORE form=rate-limiter
// @role acquire PostOffice$Franking.frank
// @role acquire PostOffice$Franking.frankWithin
// @role release PostOffice$Franking.newWindow
//
// @lock PostOffice$Break
// @type DELAY
// @role delay PostOffice$Break.pause

import java.util.concurrent.TimeUnit;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A franking machine that does four letters in each window of a few milliseconds; couriers have breaks on one shared object. */
public class PostOffice {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    static class Franking {
        private final int perWindow;
        private int franked;

        Franking(int perWindow) {
            this.perWindow = perWindow;
        }

        synchronized void frank() throws InterruptedException {
            while (franked >= perWindow) {
                wait();
            }
            franked++;
        }

        synchronized boolean frankWithin(long time, TimeUnit unit) throws InterruptedException {
            long end = System.nanoTime() + unit.toNanos(time);
            while (franked >= perWindow) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            franked++;
            return true;
        }

        synchronized int newWindow() {
            int n = franked;
            franked = 0;
            notifyAll();
            return n;
        }
    }

    static class Break {
        private long taken;

        long pause(long millis) throws InterruptedException {
            synchronized (this) {
                long end = System.currentTimeMillis() + millis;
                long now;
                while ((now = System.currentTimeMillis()) < end) {
                    wait(end - now);
                }
                return ++taken;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Franking franking = new Franking(4);
        AtomicLong franked = new AtomicLong();
        AtomicLong windows = new AtomicLong(1);
        for (int i = 0; i < 5; i++) {
            boolean hasty = i == 4;
            loop("sender-" + i, () -> {
                if (!hasty) {
                    franking.frank();
                    franked.incrementAndGet();
                } else if (franking.frankWithin(8, TimeUnit.MILLISECONDS)) {
                    franked.incrementAndGet();
                }
                nap(1, 3);
            });
        }
        loop("clock", () -> {
            nap(9, 12);
            windows.incrementAndGet();
            check(franking.newWindow() <= 4, "too many letters in a window");
            check(franked.get() <= 4 * windows.get(), "too many letters altogether");
        });
        Break rest = new Break();
        for (int i = 0; i < 3; i++) {
            long[] last = new long[1];
            loop("courier-" + i, () -> {
                long n = rest.pause(ThreadLocalRandom.current().nextInt(4, 12));
                check(n > last[0], "breaks run backwards");
                last[0] = n;
                nap(1, 4);
            });
        }
        finish(args);
    }
}
