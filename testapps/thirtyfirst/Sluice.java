// @lock Sluice$Basin
// @type PRODUCER-CONSUMER+CONDITION capacity=6
// @role put Sluice$Basin.moor
// @role take Sluice$Basin.lift
// @role wait Sluice$Basin.awaitEmpty
// @role notify Sluice$Basin.lift

// @lock Sluice$Keepers
// @type SEMAPHORE+MUTEX permits=2
// @role acquire Sluice$Keepers.call
// @role release Sluice$Keepers.dismiss
// @role enter Sluice$Keepers.fine
// @role enter Sluice$Keepers.cashUp

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A basin of six places that is emptied now and then for cleaning, and two keepers whose cash box is under the same monitor. */
public class Sluice {
    static class Basin {
        private final LinkedList<String> barges = new LinkedList<>();

        synchronized void moor(String b) throws InterruptedException {
            while (barges.size() >= 6) {
                wait();
            }
            barges.add(b);
            notifyAll();
        }

        synchronized String lift() throws InterruptedException {
            while (barges.isEmpty()) {
                wait();
            }
            String b = barges.remove();
            notifyAll();
            return b;
        }

        synchronized void awaitEmpty() throws InterruptedException {
            while (!barges.isEmpty()) {
                wait();
            }
        }
    }

    static class Keepers {
        private int idle = 2;
        private int fines;
        private int slips;

        synchronized void call() throws InterruptedException {
            while (idle == 0) {
                wait();
            }
            idle--;
        }

        synchronized void dismiss() {
            idle++;
            notifyAll();
        }

        synchronized void fine(int amount) {
            fines += amount;
            slow();
            slips += amount;
        }

        synchronized boolean cashUp() {
            slow();
            return fines == slips;
        }

        private static void slow() {
            long until = System.nanoTime() + 300_000;
            while (System.nanoTime() < until) {
                Thread.yield();
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Basin basin = new Basin();
        Keepers keepers = new Keepers();
        AtomicInteger busy = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            loop("barge-" + i, () -> {
                for (int k = 0; k < 4; k++) {
                    basin.moor("b" + k);
                }
                keepers.fine(2);
                pause(5, 20);
            });
        }
        for (int i = 0; i < 4; i++) {
            loop("lock-" + i, () -> {
                basin.lift();
                keepers.call();
                check(busy.incrementAndGet() <= 2, "keepers");
                pause(1, 3);
                busy.decrementAndGet();
                keepers.dismiss();
                keepers.fine(1);
            });
        }
        loop("cleaner", () -> {
            basin.awaitEmpty();
            check(keepers.cashUp(), "the cash box");
            pause(2, 6);
        });
        finish(args);
    }
}
