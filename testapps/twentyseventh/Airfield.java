// @lock Airfield$Runways
// @type SEMAPHORE permits=2
// @role acquire Airfield$Runways.claim
// @role acquire Airfield$Runways.claimWithin
// @role release Airfield$Runways.vacate
//
// @lock java.lang.Class#note
// @type MUTEX
// @role enter Airfield$TowerLog.note

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A small airfield with two runways; aircraft that find none free circle, some of them only as long as their fuel lasts. */
public class Airfield {
    static final int RUNWAYS = 2;
    static final AtomicLong landings = new AtomicLong();
    static volatile String fault;

    /** Which runways are free, as a set of bits. */
    static final class Runways {
        private final BitSet free = new BitSet(RUNWAYS);

        Runways() {
            free.set(0, RUNWAYS);
        }

        synchronized int claim() throws InterruptedException {
            while (free.isEmpty()) {
                wait();
            }
            return pick();
        }

        /** -1 if none came free in time. */
        synchronized int claimWithin(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000L;
            while (free.isEmpty()) {
                long left = (end - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return -1;
                }
                wait(left);
            }
            return pick();
        }

        private int pick() {
            int r = free.nextSetBit(0);
            free.clear(r);
            return r;
        }

        synchronized void vacate(int r) {
            if (free.get(r)) {
                throw new IllegalStateException("runway " + r + " vacated twice");
            }
            free.set(r);
            notifyAll();
        }
    }

    /** What the tower writes down; one book for the whole field. */
    static final class TowerLog {
        private static final Deque<String> lines = new ArrayDeque<>();
        private static long written;
        private static boolean writing;

        private TowerLog() { }

        static synchronized void note(String line) throws InterruptedException {
            if (writing) {
                fault = "two pens in one book";
            }
            writing = true;
            lines.addLast(written++ + " " + line);
            if (lines.size() > 50) {
                lines.removeFirst();
            }
            Thread.sleep(1);
            writing = false;
        }
    }

    static final Runways runways = new Runways();
    static final AtomicInteger[] onRunway = {new AtomicInteger(), new AtomicInteger()};

    static final class Aircraft extends Thread {
        private final boolean shortOfFuel;

        Aircraft(int n) {
            super("aircraft-" + n);
            shortOfFuel = n % 3 == 0;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    int r = shortOfFuel ? runways.claimWithin(60) : runways.claim();
                    if (r < 0) {
                        TowerLog.note(getName() + " diverted");
                        Thread.sleep(10);
                        continue;
                    }
                    if (onRunway[r].incrementAndGet() != 1) {
                        fault = "two aircraft on runway " + r;
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                    onRunway[r].decrementAndGet();
                    runways.vacate(r);
                    TowerLog.note(getName() + " landed on " + r);
                    landings.incrementAndGet();
                    TowerLog.note(getName() + " at the gate");
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            new Aircraft(i).start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + landings.get());
        System.exit(0);
    }
}
