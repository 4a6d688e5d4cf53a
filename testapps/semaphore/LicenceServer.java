// @lock LicenceServer$Licences
// @type SEMAPHORE permits=2
// @role acquire LicenceServer$Licences.obtain
// @role acquire LicenceServer$Licences.tryObtain
// @role release LicenceServer$Licences.surrender

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two floating licences. Batch tools wait for one, interactive tools give up after a while; some users are interrupted. */
public final class LicenceServer {
    static final class Licences {
        private long available;

        Licences(long number) {
            available = number;
        }

        void obtain() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            synchronized (this) {
                try {
                    while (available <= 0) {
                        wait();
                    }
                    --available;
                } catch (InterruptedException e) {
                    notify(); // the wake-up may have been meant for us: pass it on
                    throw e;
                }
            }
        }

        boolean tryObtain(long millis) throws InterruptedException {
            synchronized (this) {
                if (available > 0) {
                    --available;
                    return true;
                }
                long start = System.nanoTime();
                long left = millis;
                try {
                    while (left > 0) {
                        wait(left);
                        if (available > 0) {
                            --available;
                            return true;
                        }
                        left = millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                    }
                    return false;
                } catch (InterruptedException e) {
                    notify();
                    throw e;
                }
            }
        }

        synchronized void surrender() {
            ++available;
            notify();
        }
    }

    private static final Licences licences = new Licences(2);
    private static final AtomicInteger out = new AtomicInteger();
    private static final AtomicLong uses = new AtomicLong();
    private static volatile boolean broken;

    private static void work() throws InterruptedException {
        try {
            if (out.incrementAndGet() > 2) {
                broken = true;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            uses.incrementAndGet();
        } finally {
            out.decrementAndGet();
            licences.surrender();
        }
    }

    private static void session(boolean patient) {
        while (!broken) {
            try {
                if (patient) {
                    licences.obtain();
                    work();
                } else if (licences.tryObtain(20)) {
                    work();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            } catch (InterruptedException impatientUser) {
                Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] tools = new Thread[6];
        for (int i = 0; i < tools.length; i++) {
            boolean patient = i % 2 == 0;
            tools[i] = new Thread(() -> session(patient), (patient ? "batch-" : "ui-") + i);
            tools[i].setDaemon(true);
            tools[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - until < 0) {
            Thread.sleep(50);
            tools[ThreadLocalRandom.current().nextInt(tools.length)].interrupt();
        }
        if (broken) {
            throw new IllegalStateException("more licences out than bought");
        }
        System.out.println("DONE " + uses);
    }
}
