import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Parks a number of times that is known, in every way there is, and says how often. With "virtual" in virtual threads.
 * Written for JDK 8.
 */
public final class ParkBooks {
    static final class Door { }
    static final class Clock { }
    static final class Date { }
    static final class Bell { }
    static final class Past { }

    static final int WORKERS = 4, DOORS = 500, TIMES = 60;
    static final AtomicInteger running = new AtomicInteger();
    static final Thread[] workers = new Thread[WORKERS];

    static void start(String how, Runnable work) throws Exception {
        running.incrementAndGet();
        Runnable counted = () -> {
            work.run();
            running.decrementAndGet();
        };
        if (how.equals("virtual")) {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, counted);
        } else {
            new Thread(counted).start();
        }
    }

    public static void main(String[] args) throws Exception {
        String how = args.length > 0 ? args[0] : "platform";
        Door door = new Door();
        Clock clock = new Clock();
        Date date = new Date();
        Bell bell = new Bell();
        Past past = new Past();
        // Of virtual threads the JDK takes what is so long ago for far in the future.
        long longAgo = how.equals("virtual") ? -1 : Long.MIN_VALUE;
        for (int i = 0; i < WORKERS; i++) {
            int me = i;
            start(how, () -> {
                workers[me] = Thread.currentThread();
                for (int n = 0; n < DOORS; n++) {
                    LockSupport.park(door);
                }
                workers[me] = null;
            });
        }
        start(how, () -> {
            for (int n = 0; n < TIMES; n++) {
                LockSupport.parkNanos(clock, 300_000);
                LockSupport.parkNanos(clock, 0);
                LockSupport.parkUntil(date, System.currentTimeMillis() + 2);
            }
        });
        start(how, () -> {
            for (int n = 0; n < TIMES; n++) {
                Thread.currentThread().interrupt();
                LockSupport.park(bell);
                LockSupport.park();
                Thread.interrupted();
            }
        });
        start(how, () -> {
            for (int n = 0; n < TIMES; n++) {
                LockSupport.parkUntil(past, longAgo);
                LockSupport.parkUntil(past, 0);
                LockSupport.parkUntil(past, System.currentTimeMillis() - 1000);
            }
        });
        start(how, () -> {
            for (int n = 0; n < TIMES; n++) {
                // Which other threads park on objects of, and which none does.
                LockSupport.parkNanos(Clock.class, 10_000);
                LockSupport.parkNanos(ParkBooks.class, 10_000);
            }
        });
        while (running.get() > 0) {
            for (Thread worker : workers) {
                LockSupport.unpark(worker);
            }
            Thread.sleep(0, 50_000);
        }
        System.out.println("DONE");
    }
}
