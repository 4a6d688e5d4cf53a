// @lock TurnHall$Turnstile
// @type SEMAPHORE permits=3
// @role acquire TurnHall$Turnstile.pass
// @role release TurnHall$Turnstile.back
//
// @lock TurnHall$Figures
// @type MUTEX
// @role enter TurnHall$Figures.add
// @role enter TurnHall$Figures.total
// @quiet

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A gymnasium with three places in order of tickets. The next ticket and the next grant are numbers under one monitor; who
 * must wait does so at the slot of the ticket, one of sixteen.
 */
public class TurnHall {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    static class Turnstile {
        private static class Slot {
            long granted = -1;
        }

        private final Slot[] slots = new Slot[16];
        private long nextTicket;
        private long nextGrant;

        Turnstile(int places) {
            for (int i = 0; i < slots.length; i++) {
                slots[i] = new Slot();
            }
            for (int i = 0; i < places; i++) {
                slots[i].granted = i;
            }
            nextGrant = places;
        }

        void pass() throws InterruptedException {
            long ticket;
            synchronized (this) {
                ticket = nextTicket++;
            }
            Slot slot = slots[(int) (ticket % slots.length)];
            synchronized (slot) {
                while (slot.granted < ticket) {
                    slot.wait();
                }
            }
        }

        void back() {
            long grant;
            synchronized (this) {
                grant = nextGrant++;
            }
            Slot slot = slots[(int) (grant % slots.length)];
            synchronized (slot) {
                slot.granted = Math.max(slot.granted, grant);
                slot.notifyAll();
            }
        }
    }

    static class Figures {
        private long sum;
        private long entries;

        synchronized void add(int n) {
            sum += n;
            entries++;
        }

        synchronized long total() {
            return sum - entries;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Turnstile turnstile = new Turnstile(3);
        Figures figures = new Figures();
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < 7; i++) {
            loop("gymnast-" + i, () -> {
                turnstile.pass();
                check(inside.incrementAndGet() <= 3, "the hall is full");
                nap(2, 8);
                inside.decrementAndGet();
                turnstile.back();
                nap(1, 5);
                if (ThreadLocalRandom.current().nextInt(20) == 0) {
                    figures.add(1);
                }
            });
        }
        loop("caretaker", () -> {
            nap(15, 20);
            check(figures.total() == 0, "figures are wrong");
        });
        finish(args);
    }
}
