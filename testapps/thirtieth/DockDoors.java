// @lock DockDoors$Doors
// @type SEMAPHORE permits=3
// @role acquire DockDoors$Doors.assign
// @role release DockDoors$Doors.depart

// @lock DockDoors$YardPlan
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock DockDoors$YardPlan.beginLook
// @role read-unlock DockDoors$YardPlan.endLook
// @role write-lock DockDoors$YardPlan.beginChange
// @role write-unlock DockDoors$YardPlan.endChange

import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Lorries wait for one of three dock doors, not for ever; the yard plan is looked at by all of them and changed by the yard master. */
public final class DockDoors {
    static final class Doors {
        private final BitSet taken = new BitSet(3);

        /** @return a door, or -1 if none became free in time */
        synchronized int assign(long millis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + millis;
            int door = taken.nextClearBit(0);
            while (door >= 3) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return -1;
                }
                wait(left);
                door = taken.nextClearBit(0);
            }
            taken.set(door);
            return door;
        }

        synchronized void depart(int door) {
            if (!taken.get(door)) {
                throw new IllegalStateException("door " + door + " was free");
            }
            taken.clear(door);
            notifyAll();
        }
    }

    static final class YardPlan {
        private int looking;
        private boolean changing;
        private int changesWanted;
        private int even;
        private int odd;

        synchronized void beginLook() throws InterruptedException {
            while (changing || changesWanted > 0) {
                wait();
            }
            looking++;
        }

        synchronized void endLook() {
            looking--;
            if (looking == 0) {
                notifyAll();
            }
        }

        synchronized void beginChange() throws InterruptedException {
            changesWanted++;
            try {
                while (changing || looking > 0) {
                    wait();
                }
                changing = true;
            } finally {
                changesWanted--;
            }
        }

        synchronized void endChange() {
            changing = false;
            notifyAll();
        }

        boolean consistent() {
            return even + odd == 0;
        }

        void shift(int n) throws InterruptedException {
            even += n;
            Thread.sleep(2);
            odd -= n;
        }
    }

    private static final Doors doors = new Doors();
    private static final YardPlan plan = new YardPlan();
    private static final AtomicInteger[] atDoor = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
    private static final AtomicLong loads = new AtomicLong();
    private static volatile String wrong;

    private static void lorry() {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        try {
            while (wrong == null) {
                plan.beginLook();
                try {
                    Thread.sleep(1);
                    if (!plan.consistent()) {
                        wrong = "half a change seen in the yard plan";
                    }
                } finally {
                    plan.endLook();
                }
                int door = doors.assign(2000);
                if (door < 0) {
                    continue;
                }
                if (atDoor[door].incrementAndGet() != 1) {
                    wrong = "two lorries at door " + door;
                }
                Thread.sleep(r.nextInt(3, 9));
                atDoor[door].decrementAndGet();
                doors.depart(door);
                loads.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void yardMaster() {
        try {
            while (wrong == null) {
                plan.beginChange();
                try {
                    plan.shift(ThreadLocalRandom.current().nextInt(9));
                } finally {
                    plan.endChange();
                }
                Thread.sleep(8);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(i < 6 ? DockDoors::lorry : DockDoors::yardMaster);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (wrong != null) {
            throw new IllegalStateException(wrong);
        }
        System.out.println("DONE " + loads);
    }
}
