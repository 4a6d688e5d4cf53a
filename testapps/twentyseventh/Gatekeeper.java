// @lock Gatekeeper$Mutex
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Gatekeeper$Mutex.lock
// @role read-unlock Gatekeeper$Mutex.unlock
// @role write-lock Gatekeeper$Mutex.put
// @role write-unlock Gatekeeper$Mutex.take
//
// @lock Gatekeeper$Queue
// @type SEMAPHORE permits=4
// @role acquire Gatekeeper$Queue.enqueue
// @role release Gatekeeper$Queue.dequeue

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A castle whose doors and baths have long had other uses than their names say: guests see the rooms, masons alter them, four may bathe. */
public class Gatekeeper {
    static volatile String fault;
    static final AtomicLong ops = new AtomicLong();

    private enum Phase { EMPTY, SHARED, ALONE }

    static final class Mutex {
        private Phase phase = Phase.EMPTY;
        private int guests;

        synchronized void lock() throws InterruptedException {
            while (phase == Phase.ALONE) {
                wait();
            }
            guests++;
            phase = Phase.SHARED;
        }

        synchronized void unlock() {
            if (phase != Phase.SHARED) {
                throw new IllegalStateException(phase.toString());
            }
            if (--guests == 0) {
                phase = Phase.EMPTY;
                notifyAll();
            }
        }

        synchronized void put() throws InterruptedException {
            while (phase != Phase.EMPTY) {
                wait();
            }
            phase = Phase.ALONE;
        }

        synchronized void take() {
            if (phase != Phase.ALONE) {
                throw new IllegalStateException(phase.toString());
            }
            phase = Phase.EMPTY;
            notifyAll();
        }
    }

    /** Tubs as bits of one number: a set bit is a tub in use. */
    static final class Queue {
        private int inUse;

        synchronized int enqueue() throws InterruptedException {
            while (inUse == 0b1111) {
                wait();
            }
            int tub = Integer.lowestOneBit(~inUse);
            inUse |= tub;
            return tub;
        }

        synchronized void dequeue(int tub) {
            inUse &= ~tub;
            notify();
        }
    }

    static final Mutex rooms = new Mutex();
    static final Queue tubs = new Queue();
    static final AtomicIntegerArray bathers = new AtomicIntegerArray(9);
    static int floors;
    static int ceilings;

    static void guest() throws InterruptedException {
        rooms.lock();
        int f = floors;
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        if (f != floors || f != ceilings) {
            fault = "a room without a ceiling";
        }
        rooms.unlock();
        int tub = tubs.enqueue();
        if (bathers.incrementAndGet(tub) != 1) {
            fault = "two in tub " + tub;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(5, 11));
        bathers.decrementAndGet(tub);
        tubs.dequeue(tub);
        ops.incrementAndGet();
    }

    static void mason() throws InterruptedException {
        rooms.put();
        floors++;
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        ceilings++;
        rooms.take();
        ops.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
    }

    interface Day {
        void pass() throws InterruptedException;
    }

    static void live(Day d) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    d.pass();
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 7; i++) {
            live(Gatekeeper::guest);
        }
        live(Gatekeeper::mason);
        live(Gatekeeper::mason);
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
