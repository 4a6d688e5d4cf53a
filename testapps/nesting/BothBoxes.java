// @edge BothBoxes.move -> BothBoxes.move
// @same BothBoxes.move cyclic
// @cycle BothBoxes.move
// @threads to-and fro

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Two boxes locked by one helper, first and second, whichever these are: one logical lock, whose two objects are taken in
 * both orders. A turn that no lock knows of has kept the two movers apart so far.
 */
public final class BothBoxes {
    private static final Object left = new Object();
    private static final Object right = new Object();
    private static final AtomicInteger turn = new AtomicInteger();
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;

    private static void move(Object first, Object second) throws InterruptedException {
        synchronized (first) {
            Thread.sleep(1);
            synchronized (second) {
                done.incrementAndGet();
            }
        }
    }

    private static void there() throws InterruptedException {
        move(left, right);
    }

    private static void back() throws InterruptedException {
        move(right, left);
    }

    private static void dustLeft() throws InterruptedException {
        synchronized (left) {
            Thread.sleep(3);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
    }

    private static void dustRight() throws InterruptedException {
        synchronized (right) {
            Thread.sleep(3);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Work inTurn(int number, Work work) {
        return () -> {
            while (turn.get() != number) {
                Thread.sleep(1);
            }
            work.run();
            turn.set(1 - number);
        };
    }

    private static void start(String name, Work work) {
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
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        start("to-and", inTurn(0, BothBoxes::there));
        start("fro", inTurn(1, BothBoxes::back));
        start("left-duster", BothBoxes::dustLeft);
        start("right-duster", BothBoxes::dustRight);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        if (done.get() == 0) {
            throw new IllegalStateException("nothing was moved");
        }
        System.out.println("DONE " + done.get());
    }
}
