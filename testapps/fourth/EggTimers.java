// @lock java.util.PriorityQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put EggTimers$Clock.schedule
// @role take EggTimers$Clock.nextDue

import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Egg timers: cooks set them, two kitchen hands wait for the one that rings first, and do what it says. */
public final class EggTimers {
    static final class Egg implements Comparable<Egg> {
        final long due;
        final Runnable action;

        Egg(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        @Override
        public int compareTo(Egg other) {
            return Long.compare(due, other.due);
        }
    }

    static final class Clock {
        private final PriorityQueue<Egg> eggs = new PriorityQueue<>();

        void schedule(long millis, Runnable action) {
            Egg egg = new Egg(System.nanoTime() + millis * 1_000_000L, action);
            synchronized (eggs) {
                eggs.add(egg);
                if (eggs.peek() == egg) {
                    eggs.notifyAll();
                }
            }
        }

        Egg nextDue() throws InterruptedException {
            synchronized (eggs) {
                for (;;) {
                    Egg head = eggs.peek();
                    if (head == null) {
                        eggs.wait();
                        continue;
                    }
                    long left = head.due - System.nanoTime();
                    if (left <= 0) {
                        return eggs.poll();
                    }
                    eggs.wait(left / 1_000_000L + 1);
                }
            }
        }
    }

    private static final AtomicLong boiled = new AtomicLong();
    private static final AtomicLong set = new AtomicLong();
    private static volatile boolean soft;

    private static void cook(Clock clock) {
        try {
            while (true) {
                for (int i = 0; i < 3; i++) {
                    set.incrementAndGet();
                    clock.schedule(ThreadLocalRandom.current().nextInt(1, 12), boiled::incrementAndGet);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 40));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void hand(Clock clock) {
        try {
            while (true) {
                Egg egg = clock.nextDue();
                if (egg.due > System.nanoTime()) {
                    soft = true;
                }
                egg.action.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Clock clock = new Clock();
        for (int i = 0; i < 5; i++) {
            boolean hand = i < 2;
            Thread t = new Thread(hand ? () -> hand(clock) : () -> cook(clock), (hand ? "hand-" : "cook-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        long eggs = boiled.get();
        if (soft || eggs > set.get()) {
            throw new IllegalStateException("an egg was taken out too early");
        }
        System.out.println("DONE " + eggs);
    }
}
