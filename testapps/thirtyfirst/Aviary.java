// @lock Aviary$Perches
// @type SEMAPHORE permits=3
// @role acquire Aviary$Perches.land
// @role release Aviary$Perches.takeOff

// @lock Aviary$Feeding
// @type LATCH count=4
// @role count-down Aviary$Feeding.filled
// @role await Aviary$Feeding.call

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Perches and feeding times, both over one abstract class that does the waiting and asks its subclass what for. */
public class Aviary {
    abstract static class Expectation {
        protected abstract boolean met();

        protected final void expect() throws InterruptedException {
            while (!met()) {
                pauseHere();
            }
        }

        private void pauseHere() throws InterruptedException {
            wait();
        }

        protected final void changed() {
            notifyAll();
        }
    }

    static final class Perches extends Expectation {
        private int birds;

        @Override
        protected boolean met() {
            return birds < 3;
        }

        synchronized void land() throws InterruptedException {
            expect();
            birds++;
        }

        synchronized void takeOff() {
            birds--;
            changed();
        }
    }

    static final class Feeding extends Expectation {
        private int bowls = 4;

        @Override
        protected boolean met() {
            return bowls <= 0;
        }

        synchronized void filled() {
            if (bowls > 0 && --bowls == 0) {
                changed();
            }
        }

        synchronized void call() throws InterruptedException {
            expect();
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
        Perches perches = new Perches();
        AtomicInteger sitting = new AtomicInteger();
        for (int i = 0; i < 6; i++) {
            loop("bird-" + i, () -> {
                perches.land();
                check(sitting.incrementAndGet() <= 3, "a crowded perch");
                pause(2, 8);
                sitting.decrementAndGet();
                perches.takeOff();
                pause(1, 4);
            });
        }
        Queue<Feeding> forBowls = new java.util.concurrent.ConcurrentLinkedQueue<>();
        Queue<Feeding> forFlock = new java.util.concurrent.ConcurrentLinkedQueue<>();
        for (int i = 0; i < 2; i++) {
            loop("warden-" + i, () -> {
                Feeding f = forBowls.poll();
                pause(2, 5);
                if (f != null) {
                    f.filled();
                }
            });
            loop("flock-" + i, () -> {
                Feeding f = forFlock.poll();
                if (f == null) {
                    pause(1, 3);
                } else {
                    f.call();
                }
            });
        }
        loop("keeper", () -> {
            Feeding f = new Feeding();
            for (int k = 0; k < 4; k++) {
                forBowls.add(f);
            }
            forFlock.add(f);
            forFlock.add(f);
            f.call();
        });
        finish(args);
    }
}
