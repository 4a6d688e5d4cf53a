// @edge CrossedTellers.cash -> CrossedTellers.book
// @edge CrossedTellers.book -> CrossedTellers.cash
// @cycle CrossedTellers.book CrossedTellers.cash
// @threads payer booker

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bank where paying out takes the cash box and then the book, and closing an account the book and then the cash box. The two
 * tellers have never met so far, because they happen to take turns at the counter; nothing in the locking makes them.
 */
public final class CrossedTellers {
    private static final Object cash = new Object();
    private static final Object book = new Object();
    private static final AtomicInteger turn = new AtomicInteger();
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;

    private static void payOut() throws InterruptedException {
        synchronized (cash) {
            Thread.sleep(1);
            synchronized (book) {
                done.incrementAndGet();
            }
        }
    }

    private static void closeAccount() throws InterruptedException {
        synchronized (book) {
            Thread.sleep(1);
            synchronized (cash) {
                done.incrementAndGet();
            }
        }
    }

    private static void countCash() throws InterruptedException {
        synchronized (cash) {
            Thread.sleep(3);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
    }

    private static void audit() throws InterruptedException {
        synchronized (book) {
            Thread.sleep(3);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Thread teller(String name, int number, Work work) {
        return daemon(name, () -> {
            while (turn.get() != number) {
                Thread.sleep(1);
            }
            work.run();
            turn.set(1 - number);
        });
    }

    private static Thread daemon(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                while (open) {
                    work.run();
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.setDaemon(true);
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        teller("payer", 0, CrossedTellers::payOut).start();
        teller("booker", 1, CrossedTellers::closeAccount).start();
        daemon("cash-counter", CrossedTellers::countCash).start();
        daemon("auditor", CrossedTellers::audit).start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        if (done.get() == 0) {
            throw new IllegalStateException("nobody was served");
        }
        System.out.println("DONE " + done.get());
    }
}
