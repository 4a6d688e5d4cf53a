// @edge DayAndNight.oven -> DayAndNight.till
// @edge DayAndNight.till -> DayAndNight.oven
// @excluded start-join DayAndNight.oven DayAndNight.till
// @no-cycle

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bakery with two shifts. The day shift takes the oven and then the till, the night shift the till and then the oven; but each
 * shift is a thread that the owner starts only after he has seen the other one off.
 */
public final class DayAndNight {
    /** Milliseconds. */
    private static final long SHIFT = 200;

    private static final Object oven = new Object();
    private static final Object till = new Object();
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;

    private static void day() throws InterruptedException {
        synchronized (oven) {
            Thread.sleep(1);
            synchronized (till) {
                done.incrementAndGet();
            }
        }
    }

    private static void night() throws InterruptedException {
        synchronized (till) {
            Thread.sleep(1);
            synchronized (oven) {
                done.incrementAndGet();
            }
        }
    }

    private static void cleanOven() throws InterruptedException {
        synchronized (oven) {
            Thread.sleep(3);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
    }

    private static void cleanTill() throws InterruptedException {
        synchronized (till) {
            Thread.sleep(3);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Thread daemon(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void shift(String name, Work work) throws InterruptedException {
        long end = System.nanoTime() + SHIFT * 1_000_000;
        Thread owner = Thread.currentThread();
        // Nobody goes home before the owner has come to see him off.
        Thread thread = daemon(name, () -> {
            while (System.nanoTime() < end || owner.getState() != Thread.State.WAITING) {
                work.run();
            }
        });
        thread.join();
    }

    private static void cleaner(String name, Work work) {
        daemon(name, () -> {
            while (open) {
                work.run();
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long end = System.nanoTime() + seconds * 1_000_000_000;
        cleaner("oven-cleaner", DayAndNight::cleanOven);
        cleaner("till-cleaner", DayAndNight::cleanTill);
        System.out.println("READY");
        System.out.flush();
        for (int day = 1; System.nanoTime() < end; day++) {
            shift("day-" + day, DayAndNight::day);
            shift("night-" + day, DayAndNight::night);
        }
        open = false;
        if (done.get() == 0) {
            throw new IllegalStateException("nothing was baked");
        }
        System.out.println("DONE " + done.get());
    }
}
