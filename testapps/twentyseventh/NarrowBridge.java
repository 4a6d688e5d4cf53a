// @lock NarrowBridge$Bridge
// @type CONDITION
// @role wait NarrowBridge$Bridge.redEnter
// @role wait NarrowBridge$Bridge.blueEnter
// @role notify NarrowBridge$Bridge.redExit
// @role notify NarrowBridge$Bridge.blueExit
//
// @lock NarrowBridge$TollBox
// @type MUTEX
// @role enter NarrowBridge$TollBox.pay

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A bridge of one lane: red cars go one way and blue cars the other; any number of one colour may be on it together. */
public class NarrowBridge {
    static volatile String fault;
    static final AtomicLong crossings = new AtomicLong();

    static final class Bridge {
        private int red;
        private int blue;
        private int redWaiting;
        private int blueWaiting;
        private boolean blueTurn = true;

        synchronized void redEnter() throws InterruptedException {
            ++redWaiting;
            while (blue > 0 || blueWaiting > 0 && blueTurn) {
                wait();
            }
            --redWaiting;
            ++red;
        }

        synchronized void redExit() {
            --red;
            blueTurn = true;
            if (red == 0) {
                notifyAll();
            }
        }

        synchronized void blueEnter() throws InterruptedException {
            ++blueWaiting;
            while (red > 0 || redWaiting > 0 && !blueTurn) {
                wait();
            }
            --blueWaiting;
            ++blue;
        }

        synchronized void blueExit() {
            --blue;
            blueTurn = false;
            if (blue == 0) {
                notifyAll();
            }
        }
    }

    static final class TollBox {
        private long coins;
        private long cars;

        synchronized void pay(int amount) throws InterruptedException {
            long before = coins;
            Thread.sleep(1);
            coins = before + amount;
            cars++;
            if (coins != cars * 2) {
                fault = "the box is out: " + coins + " for " + cars;
            }
        }
    }

    static final Bridge bridge = new Bridge();
    static final TollBox box = new TollBox();
    static final AtomicInteger reds = new AtomicInteger();
    static final AtomicInteger blues = new AtomicInteger();

    static void cross(boolean isRed) throws InterruptedException {
        AtomicInteger mine = isRed ? reds : blues;
        AtomicInteger others = isRed ? blues : reds;
        if (isRed) {
            bridge.redEnter();
        } else {
            bridge.blueEnter();
        }
        mine.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
        if (others.get() != 0) {
            fault = "head on";
        }
        mine.decrementAndGet();
        if (isRed) {
            bridge.redExit();
        } else {
            bridge.blueExit();
        }
        crossings.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            final boolean isRed = i < 3;
            Thread t = new Thread(() -> {
                try {
                    for (;;) {
                        cross(isRed);
                        box.pay(2);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
                    }
                } catch (InterruptedException e) {
                    fault = e.toString();
                }
            }, (isRed ? "red-" : "blue-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + crossings.get());
        System.exit(0);
    }
}
