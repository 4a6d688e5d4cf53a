// @lock KilnShift$BinarySemaphore
// @type SEMAPHORE permits=1
// @role acquire KilnShift$BinarySemaphore.P
// @role release KilnShift$BinarySemaphore.V

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Potters load a kiln (P); a separate firing thread frees it when the pots are done (V): a binary semaphore. */
public class KilnShift {
    static abstract class AbstractSemaphore {
        protected int value = 0;

        protected AbstractSemaphore(int initial) {
            value = initial;
        }

        abstract void P() throws InterruptedException;

        abstract void V();
    }

    static class BinarySemaphore extends AbstractSemaphore {
        BinarySemaphore(boolean unlocked) {
            super(unlocked ? 1 : 0);
        }

        @Override
        synchronized void P() throws InterruptedException {
            while (value == 0) {
                wait();
            }
            value = 0;
        }

        @Override
        synchronized void V() {
            value = 1;
            notify();
        }
    }

    private final BinarySemaphore free = new BinarySemaphore(true);
    private final List<String> inKiln = new ArrayList<>();
    private volatile boolean stop;
    private volatile String broken;
    private volatile int batches;

    void potter(String name) {
        Random r = new Random(name.hashCode());
        try {
            while (!stop) {
                Thread.sleep(r.nextInt(5));
                free.P();
                if (!inKiln.isEmpty()) {
                    broken = name + " found " + inKiln;
                }
                inKiln.add(name);
                new Thread(() -> fire(r.nextInt(4)), "firing for " + name).start();
            }
        } catch (InterruptedException e) {
            broken = name + " sent home";
        }
    }

    void fire(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            broken = "fire went out";
        }
        inKiln.clear();
        batches++;
        free.V();
    }

    public static void main(String[] a) throws Exception {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        KilnShift shift = new KilnShift();
        Thread[] potters = new Thread[4];
        for (int i = 0; i < potters.length; i++) {
            String name = "potter-" + i;
            potters[i] = new Thread(() -> shift.potter(name), name);
            potters[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        shift.stop = true;
        for (Thread t : potters) {
            t.join();
        }
        if (shift.broken != null) {
            System.out.println(shift.broken);
            System.exit(1);
        }
        System.out.println("DONE " + shift.batches);
    }
}
