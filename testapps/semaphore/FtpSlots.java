// @lock FtpSlots$Uploads
// @type SEMAPHORE permits=3
// @role acquire FtpSlots$Limit.begin
// @role release FtpSlots$Limit.end

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A limit on concurrent uploads, inherited from a general class that asks its subclass whether one more is allowed. */
public final class FtpSlots {
    abstract static class Limit {
        private int active;

        abstract boolean allows(int nowActive);

        final synchronized void begin() throws InterruptedException {
            while (!allows(active)) {
                wait();
            }
            active++;
        }

        final synchronized void end() {
            active--;
            notify();
        }
    }

    static final class Uploads extends Limit {
        private final int max;

        Uploads(int max) {
            this.max = max;
        }

        @Override
        boolean allows(int nowActive) {
            return nowActive < max;
        }
    }

    private static volatile boolean stop;
    private static volatile boolean broken;
    private static final AtomicInteger open = new AtomicInteger();
    private static final AtomicLong files = new AtomicLong();

    private static void upload(Limit limit) throws InterruptedException {
        limit.begin();
        try {
            if (open.incrementAndGet() > 3) {
                broken = true;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        } finally {
            open.decrementAndGet();
            limit.end();
        }
        files.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Limit limit = new Uploads(3);
        Thread[] users = new Thread[7];
        for (int i = 0; i < users.length; i++) {
            users[i] = new Thread(() -> {
                try {
                    while (!stop) {
                        upload(limit);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    }
                } catch (InterruptedException e) {
                    broken = true;
                }
            }, "user-" + i);
            users[i].setDaemon(true);
            users[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : users) {
            t.join(5_000);
            broken |= t.isAlive();
        }
        if (broken) {
            throw new IllegalStateException("the limit was passed, or a user was forgotten");
        }
        System.out.println("DONE " + files);
    }
}
