// @lock BerthPlan$Quay
// @type SEMAPHORE permits=6
// @role acquire BerthPlan$Quay.moor
// @role release BerthPlan$Quay.castOff

import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Ships get a numbered berth; free berths are the clear bits of a BitSet. */
public class BerthPlan {
    static class Quay {
        private final BitSet occupied = new BitSet();
        private final int length;

        Quay(int length) {
            this.length = length;
        }

        private boolean full() {
            return occupied.cardinality() == length;
        }

        synchronized int moor() throws InterruptedException {
            while (full()) {
                wait();
            }
            int berth = occupied.nextClearBit(0);
            occupied.set(berth);
            return berth;
        }

        synchronized void castOff(int berth) {
            if (!occupied.get(berth)) {
                throw new IllegalArgumentException("nobody at berth " + berth);
            }
            occupied.clear(berth);
            notify();
        }
    }

    public static void main(String... a) throws InterruptedException {
        final long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final Quay quay = new Quay(6);
        final AtomicIntegerArray ships = new AtomicIntegerArray(6);
        final Thread.UncaughtExceptionHandler fail = (t, e) -> {
            System.out.println(t.getName() + ": " + e);
            System.exit(1);
        };
        final int[] voyages = new int[11];
        for (int i = 0; i < voyages.length; i++) {
            final int id = i;
            Thread ship = new Thread("ship-" + id) {
                @Override
                public void run() {
                    for (;;) {
                        try {
                            int b = quay.moor();
                            if (ships.incrementAndGet(b) != 1) {
                                throw new IllegalStateException("collision at " + b);
                            }
                            sleep(ThreadLocalRandom.current().nextInt(1, 6));
                            ships.decrementAndGet(b);
                            quay.castOff(b);
                            voyages[id]++;
                            sleep(ThreadLocalRandom.current().nextInt(5));
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                }
            };
            ship.setUncaughtExceptionHandler(fail);
            ship.setDaemon(true);
            ship.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        int total = 0;
        for (int v : voyages) {
            total += v;
        }
        System.out.println("DONE " + total);
    }
}
