// @lock TeamLock$Lock
// @type BARRIER parties=3
// @role arrive TeamLock$Lock.lock

import java.util.BitSet;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Climbers "lock in" at a ledge until the whole rope team is there: a BitSet of members and a generation object. */
public class TeamLock {
    static class Lock {
        private final int members;
        private BitSet locked = new BitSet();

        Lock(int members) {
            this.members = members;
        }

        synchronized void lock(int member) {
            BitSet mine = locked;
            mine.set(member);
            if (mine.cardinality() == members) {
                locked = new BitSet();
                notifyAll();
                return;
            }
            boolean interrupted = false;
            while (locked == mine) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final int TEAMS = 2;
    static final int SIZE = 3;

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        AtomicIntegerArray pitch = new AtomicIntegerArray(TEAMS * SIZE);
        boolean[] broken = new boolean[1];
        for (int t = 0; t < TEAMS; t++) {
            Lock ledge = new Lock(SIZE);
            for (int m = 0; m < SIZE; m++) {
                int member = m;
                int first = t * SIZE;
                Thread climber = new Thread(() -> {
                    Random rnd = new Random(first + member);
                    while (!Thread.currentThread().isInterrupted()) {
                        try {
                            Thread.sleep(rnd.nextInt(6));
                        } catch (InterruptedException e) {
                            broken[0] = true;
                            return;
                        }
                        int p = pitch.incrementAndGet(first + member);
                        ledge.lock(member);
                        for (int k = first; k < first + SIZE; k++) {
                            if (pitch.get(k) < p || pitch.get(k) > p + 1) {
                                broken[0] = true;
                            }
                        }
                    }
                }, "climber-" + t + m);
                climber.setDaemon(true);
                climber.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken[0]) {
            System.out.println("rope torn");
            System.exit(1);
        }
        System.out.println("DONE " + (pitch.get(0) + pitch.get(SIZE)));
    }
}
