// @lock BarrierWorks$ReadLock
// @type PRODUCER-CONSUMER+LATCH capacity=unbounded count=6
// @role put BarrierWorks$ReadLock.acquire
// @role take BarrierWorks$ReadLock.release
// @role count-down BarrierWorks$ReadLock.arrive
// @role await BarrierWorks$ReadLock.join

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A parcel round, made anew for each van: parcels are handed over one after the other, two couriers take and deliver
 * them, and the round is over when six are delivered. Its class has the name of what it replaced.
 */
public class BarrierWorks {
    static volatile String damage;
    static final AtomicLong ROUNDS = new AtomicLong();

    static final class ReadLock {
        private final List<Integer> loaded = new ArrayList<>();
        private final BitSet delivered = new BitSet();

        synchronized void acquire(int parcel) {
            loaded.add(parcel);
            notifyAll();
        }

        synchronized int release() throws InterruptedException {
            while (loaded.isEmpty()) {
                wait();
            }
            return loaded.remove(loaded.size() - 1);
        }

        synchronized void arrive(int parcel) {
            if (delivered.get(parcel)) {
                damage = "parcel delivered twice";
            }
            delivered.set(parcel);
            if (delivered.cardinality() == 6) {
                notifyAll();
            }
        }

        synchronized void join() throws InterruptedException {
            while (delivered.cardinality() < 6) {
                wait();
            }
        }
    }

    static final class Courier extends Thread {
        private final ReadLock round;
        private final AtomicLong weight;

        Courier(ReadLock r, AtomicLong w) {
            round = r;
            weight = w;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 3; i++) {
                    int p = round.release();
                    Thread.sleep(1);
                    weight.addAndGet(p);
                    round.arrive(p);
                }
            } catch (InterruptedException e) {
                damage = "courier interrupted";
            }
        }
    }

    static final class Depot implements Runnable {
        private final int pause;

        Depot(int pause) {
            this.pause = pause;
        }

        @Override
        public void run() {
            try {
                while (damage == null) {
                    ReadLock round = new ReadLock();
                    AtomicLong weight = new AtomicLong();
                    new Courier(round, weight).start();
                    new Courier(round, weight).start();
                    for (int i = 0; i < 6; i++) {
                        Thread.sleep(i % 2 == 0 ? 2 : 0);
                        round.acquire(i);
                    }
                    round.join();
                    if (weight.get() != 15) {
                        damage = "round weighs " + weight;
                    }
                    ROUNDS.incrementAndGet();
                    Thread.sleep(pause);
                }
            } catch (InterruptedException e) {
                damage = "depot interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(new Depot(5 + 2 * i), "depot-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long last = -1;
        while (System.nanoTime() < end && damage == null) {
            Thread.sleep(500);
            if (ROUNDS.get() == last) {
                damage = "no van came back";
            }
            last = ROUNDS.get();
        }
        if (damage != null) {
            System.out.println(damage);
            System.exit(1);
        }
        System.out.println("DONE " + ROUNDS);
        System.exit(0);
    }
}
