// @lock HarborPilots$Convoy
// @type BARRIER parties=3
// @role arrive HarborPilots$Convoy.fallIn
//
// @lock HarborPilots$Clearance
// @type LATCH count=2
// @role count-down HarborPilots$Clearance.sign
// @role await HarborPilots$Clearance.awaitSigned

import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Tugs that go from leg to leg in convoy, and ships that may sail when customs and the harbour master have both signed. */
public class HarborPilots {
    static class Leg {
        boolean over;
    }

    /** Each leg has an object of its own; the last tug to arrive ends it and begins the next. */
    static class Convoy {
        private final int tugs;
        private int missing;
        private Leg leg = new Leg();

        Convoy(int tugs) {
            this.tugs = tugs;
            this.missing = tugs;
        }

        synchronized void fallIn() throws InterruptedException {
            Leg mine = leg;
            missing--;
            if (missing == 0) {
                missing = tugs;
                mine.over = true;
                leg = new Leg();
                notifyAll();
                return;
            }
            while (!mine.over) {
                wait();
            }
        }
    }

    static class Clearance {
        private int signatures = 2;

        void sign() {
            synchronized (this) {
                if (signatures > 0) {
                    signatures--;
                    if (signatures == 0) {
                        notifyAll();
                    }
                }
            }
        }

        void awaitSigned() throws InterruptedException {
            synchronized (this) {
                while (signatures > 0) {
                    wait();
                }
            }
        }
    }

    static final class Ship {
        final Clearance clearance = new Clearance();
        final AtomicIntegerArray stamps = new AtomicIntegerArray(2);
    }

    static final java.util.concurrent.ConcurrentLinkedQueue<Ship> CUSTOMS = new java.util.concurrent.ConcurrentLinkedQueue<>();
    static final java.util.concurrent.ConcurrentLinkedQueue<Ship> MASTER = new java.util.concurrent.ConcurrentLinkedQueue<>();
    static final AtomicIntegerArray LEGS = new AtomicIntegerArray(3);
    static final AtomicLong OPS = new AtomicLong();
    static volatile String wrong;
    static volatile boolean nightfall;

    static void tug(int id, Convoy convoy) throws InterruptedException {
        Random r = new Random(id);
        while (!nightfall) {
            Thread.sleep(3 + r.nextInt(9));
            int now = LEGS.incrementAndGet(id);
            convoy.fallIn();
            for (int i = 0; i < 3; i++) {
                int other = LEGS.get(i);
                if (other < now || other > now + 1) {
                    wrong = "tug " + i + " on leg " + other + ", not " + now;
                }
            }
            OPS.incrementAndGet();
        }
    }

    static void office(java.util.Queue<Ship> in, int index) throws InterruptedException {
        Random r = new Random(index);
        while (!nightfall) {
            Thread.sleep(2 + r.nextInt(7));
            for (Ship s = in.poll(); s != null; s = in.poll()) {
                s.stamps.set(index, 1);
                s.clearance.sign();
            }
        }
    }

    static void captain() throws InterruptedException {
        while (!nightfall) {
            Ship s = new Ship();
            CUSTOMS.add(s);
            MASTER.add(s);
            s.clearance.awaitSigned();
            if (s.stamps.get(0) + s.stamps.get(1) != 2) {
                wrong = "sailed without papers";
            }
            OPS.incrementAndGet();
            Thread.sleep(4);
        }
    }

    interface Duty {
        void serve() throws InterruptedException;
    }

    static void hire(Duty d) {
        Thread t = new Thread(() -> {
            try {
                d.serve();
            } catch (InterruptedException e) {
                wrong = "interrupted";
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Convoy convoy = new Convoy(3);
        for (int i = 0; i < 3; i++) {
            int id = i;
            hire(() -> tug(id, convoy));
        }
        hire(() -> office(CUSTOMS, 0));
        hire(() -> office(MASTER, 1));
        hire(HarborPilots::captain);
        hire(HarborPilots::captain);
        System.out.println("READY");
        for (int i = 0; i < seconds * 20 && wrong == null; i++) {
            Thread.sleep(50);
        }
        nightfall = true;
        System.out.println(wrong == null ? "DONE " + OPS : wrong);
        System.exit(wrong == null ? 0 : 1);
    }
}
