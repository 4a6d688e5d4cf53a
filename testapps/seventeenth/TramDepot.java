// @lock TramDepot$Power
// @type SEMAPHORE permits=6
// @role acquire TramDepot$Power.draw
// @role acquire TramDepot$Power.tryDraw
// @role release TramDepot$Power.giveBack
//
// @lock TramDepot$Checklist
// @type LATCH count=3
// @role count-down TramDepot$Checklist.tick
// @role await TramDepot$Checklist.awaitComplete

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A tram depot: six units of traction power, drawn one or two or three at a time, and a checklist for every tram that leaves. */
public class TramDepot {
    static class Meter {
        protected int load;

        protected boolean fits(int units) {
            return load + units <= 6;
        }
    }

    static class Power extends Meter {
        synchronized void draw(int units) throws InterruptedException {
            while (!fits(units)) {
                wait();
            }
            load += units;
        }

        synchronized boolean tryDraw(int units, long millis) throws InterruptedException {
            if (!fits(units)) {
                long end = System.nanoTime() + millis * 1_000_000L;
                do {
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        return false;
                    }
                    wait(left / 1_000_000L, (int) (left % 1_000_000L));
                } while (!fits(units));
            }
            load += units;
            return true;
        }

        synchronized void giveBack(int units) {
            load -= units;
            notifyAll();
        }
    }

    /** Brakes, doors and lights; a point ticked twice counts once. */
    static class Checklist {
        private final boolean[] ticked = new boolean[3];

        private boolean complete() {
            for (boolean b : ticked) {
                if (!b) {
                    return false;
                }
            }
            return true;
        }

        void tick(int point) {
            synchronized (this) {
                ticked[point] = true;
                if (complete()) {
                    notifyAll();
                }
            }
        }

        void awaitComplete() throws InterruptedException {
            synchronized (this) {
                while (!complete()) {
                    wait();
                }
            }
        }

        @Override
        public String toString() {
            return Arrays.toString(ticked);
        }
    }

    static final class Tram {
        final Checklist list = new Checklist();
        final AtomicInteger seenBy = new AtomicInteger();
    }

    static final AtomicLong OPS = new AtomicLong();
    static final AtomicInteger DRAWN = new AtomicInteger();
    static volatile String accident;

    interface Shift {
        void once() throws InterruptedException;
    }

    static void roster(int n, Shift s) {
        while (n-- > 0) {
            Thread t = new Thread(() -> {
                while (accident == null) {
                    try {
                        s.once();
                    } catch (InterruptedException e) {
                        accident = e.toString();
                    }
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Power power = new Power();
        roster(5, () -> {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            int units = r.nextInt(1, 4);
            if (r.nextInt(4) == 0) {
                if (!power.tryDraw(units, 15)) {
                    return;
                }
            } else {
                power.draw(units);
            }
            if (DRAWN.addAndGet(units) > 6) {
                accident = "overload";
            }
            Thread.sleep(r.nextInt(4, 12));
            DRAWN.addAndGet(-units);
            power.giveBack(units);
            OPS.incrementAndGet();
            Thread.sleep(2);
        });
        for (int d = 0; d < 2; d++) {
            ConcurrentLinkedQueue<Tram> brakes = new ConcurrentLinkedQueue<>();
            ConcurrentLinkedQueue<Tram> doors = new ConcurrentLinkedQueue<>();
            ConcurrentLinkedQueue<Tram> lights = new ConcurrentLinkedQueue<>();
            int point = 0;
            for (ConcurrentLinkedQueue<Tram> q : Arrays.asList(brakes, doors, lights)) {
                int p = point++;
                roster(1, () -> {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
                    Tram t = q.poll();
                    if (t != null) {
                        t.seenBy.incrementAndGet();
                        t.list.tick(p);
                    }
                });
            }
            roster(1, () -> {
                Tram t = new Tram();
                doors.add(t);
                brakes.add(t);
                lights.add(t);
                t.list.awaitComplete();
                if (t.seenBy.get() != 3) {
                    accident = "left unchecked " + t.list;
                }
                OPS.incrementAndGet();
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (accident == null && System.nanoTime() < end) {
            Thread.sleep(50);
        }
        if (accident == null) {
            System.out.println("DONE " + OPS);
            System.exit(0);
        }
        System.err.println(accident);
        System.exit(1);
    }
}
