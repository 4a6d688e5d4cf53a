// @lock WaterWorks$Sem
// @type SEMAPHORE
// @role acquire WaterWorks$Sem.down
// @role release WaterWorks$Sem.up
//
// @lock WaterWorks$Bond
// @type BARRIER parties=3
// @role arrive WaterWorks$Bond.bond

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Building H2O: two places for hydrogen, one for oxygen, and a bond that closes when all three atoms are there. */
public class WaterWorks {
    static class Sem {
        private int value;

        Sem(int value) {
            this.value = value;
        }

        synchronized void down() throws InterruptedException {
            while (value == 0) {
                wait();
            }
            value--;
        }

        synchronized void up() {
            value++;
            notify();
        }
    }

    static class Bond {
        private int atoms;
        private int hydrogen;
        private long molecule;

        synchronized void bond(boolean isHydrogen) throws InterruptedException {
            atoms++;
            if (isHydrogen) {
                hydrogen++;
            }
            if (atoms == 3) {
                if (hydrogen != 2) {
                    poison.incrementAndGet();
                }
                atoms = 0;
                hydrogen = 0;
                molecule++;
                notifyAll();
            } else {
                long mine = molecule;
                while (mine == molecule) {
                    wait();
                }
            }
        }

        synchronized long molecules() {
            return molecule;
        }
    }

    static final AtomicLong poison = new AtomicLong();
    static final Sem hydrogens = new Sem(2);
    static final Sem oxygens = new Sem(1);
    static final Bond bond = new Bond();

    static void atom(Sem places, boolean isHydrogen) {
        try {
            while (true) {
                places.down();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                bond.bond(isHydrogen);
                places.up();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 8; i++) {
            boolean isHydrogen = i < 5;
            Thread t = new Thread(() -> atom(isHydrogen ? hydrogens : oxygens, isHydrogen), (isHydrogen ? "H" : "O") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (poison.get() > 0) {
            throw new IllegalStateException(poison + " molecules are not water");
        }
        System.out.println("DONE " + bond.molecules());
    }
}
