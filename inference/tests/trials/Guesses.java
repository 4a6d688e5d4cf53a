import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Locks that ask for what nobody knows, or that rest on time. */
public final class Guesses {
    /** Permits; what is written down about them depends on chance and on floating point. */
    static final class Sampled {
        private final Random random = new Random();
        private final List<String> journal = new ArrayList<>();
        private int free = 3;
        private double mean;
        private long times;

        synchronized void in(String who) throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
            times++;
            mean += (random.nextDouble() - mean) / times;
            if (mean > 0.5 && random.nextInt(10) == 0) {
                journal.add(who + " " + mean);
            }
        }

        synchronized void out() {
            free++;
            while (random.nextBoolean()) {
                times--;
            }
            notify();
        }
    }

    /** Chance alone says who waits. */
    static final class Chancy {
        private final Random random = new Random();
        private int seen;

        synchronized void in() throws InterruptedException {
            while (random.nextInt(2) == 0) {
                wait();
            }
            seen++;
        }

        synchronized void out() {
            seen--;
            notifyAll();
        }
    }

    /** Nobody tells anybody: who waits looks again after a while. */
    static final class Pipe {
        private final Object[] slots = new Object[5];
        private int first;
        private int count;

        synchronized void put(Object item) throws InterruptedException {
            while (count == slots.length) {
                wait(50);
            }
            slots[(first + count++) % slots.length] = item;
        }

        synchronized Object take() throws InterruptedException {
            while (count == 0) {
                wait(50);
            }
            Object item = slots[first];
            first = (first + 1) % slots.length;
            count--;
            return item;
        }
    }

    /** Nobody tells anybody, and who has looked often enough goes on without. */
    static final class Hasty {
        private int free = 2;

        synchronized void in() throws InterruptedException {
            if (free == 0) {
                wait(50);
            }
            free--;
        }

        synchronized void out() {
            free++;
        }
    }

    /** The last one to come reckons with fractions, and was made with many numbers. */
    static final class Sweep {
        private final double[][] cells = new double[40][40];
        private int here;
        private int round;
        private double last = 1e300;
        private boolean worse;

        Sweep() {
            for (int i = 0; i < cells.length; i++) {
                for (int j = 0; j < cells.length; j++) {
                    cells[i][j] = i * 0.25 + j / 3.0;
                }
            }
        }

        synchronized void meet() throws InterruptedException {
            int mine = round;
            if (++here == 3) {
                double sum = 0;
                for (double cell : cells[round % cells.length]) {
                    sum += cell * 1.01;
                }
                worse |= sum > last * 1.0001;
                last = sum;
                here = 0;
                round++;
                notifyAll();
                return;
            }
            while (mine == round) {
                wait();
            }
        }
    }

    /** Permits drip in with time. */
    static final class Drip {
        private final int most = 4;
        private long stored = most;
        private long last = System.nanoTime();

        private void drip() {
            long now = System.nanoTime();
            long more = (now - last) / 1_000_000;
            if (more > 0) {
                stored = Math.min(most, stored + more);
                last = now;
            }
        }

        synchronized void take() throws InterruptedException {
            drip();
            while (stored == 0) {
                wait(10);
                drip();
            }
            stored--;
        }

        synchronized void refund() {
            drip();
            if (stored < most) {
                stored++;
            }
            notify();
        }
    }

    static final class Visit {
        final List<String> seen = new ArrayList<>();
    }

    /** Held by something that each thread brings with it. */
    static final class Room {
        private Visit inside;

        synchronized void enter(Visit visit) throws InterruptedException {
            while (inside != null) {
                wait();
            }
            inside = visit;
        }

        synchronized void leave(Visit visit) {
            if (inside != visit) {
                throw new IllegalStateException();
            }
            inside = null;
            notify();
        }
    }

    /** Lends what it has had from the beginning; a bit says what is there. */
    static final class Shelf {
        private final long[][] parts = {new long[4], new long[4], new long[4]};
        private int there = 7;

        synchronized long[] lend() throws InterruptedException {
            while (there == 0) {
                wait();
            }
            int first = Integer.numberOfTrailingZeros(there);
            there ^= 1 << first;
            return parts[first];
        }

        synchronized void back(long[] part) {
            for (int i = 0; i < parts.length; i++) {
                if (parts[i] == part && (there & 1 << i) == 0) {
                    there |= 1 << i;
                    notify();
                    return;
                }
            }
            throw new IllegalArgumentException();
        }
    }

    static final class Order {
        final int number;

        Order(int number) {
            this.number = number;
        }
    }

    /** What has the same number replaces what nobody has taken. */
    static final class Book {
        private final Map<Integer, Order> open = new LinkedHashMap<>();

        synchronized void enter(Order order) {
            open.put(order.number, order);
            notify();
        }

        synchronized Order next() throws InterruptedException {
            while (open.isEmpty()) {
                wait();
            }
            Iterator<Order> orders = open.values().iterator();
            Order first = orders.next();
            orders.remove();
            return first;
        }
    }

    /** Given back level by level, or all at once. */
    static final class Claim {
        private Visit owner;
        private int depth;

        synchronized void take(Visit visit) throws InterruptedException {
            while (owner != null && owner != visit) {
                wait();
            }
            owner = visit;
            depth++;
        }

        synchronized void giveAll(Visit visit) {
            check(visit);
            depth = 0;
            owner = null;
            notify();
        }

        synchronized void give(Visit visit) {
            check(visit);
            if (--depth == 0) {
                owner = null;
                notify();
            }
        }

        private void check(Visit visit) {
            if (owner != visit) {
                throw new IllegalMonitorStateException();
            }
        }
    }
}
