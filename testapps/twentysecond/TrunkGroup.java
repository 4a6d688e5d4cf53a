// @lock TrunkGroup$Group
// @type SEMAPHORE permits=6
// @role acquire TrunkGroup$Group.seize
// @role release TrunkGroup$Group.release
//
// @lock TrunkGroup$CdrFile
// @type MUTEX
// @role enter TrunkGroup$CdrFile.append
// @role enter TrunkGroup$CdrFile.rotate

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A trunk group of six circuits between two exchanges, the circuits being bits of a word; calls leave tickets in a charging file. */
public class TrunkGroup {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class Group {
        private static final int ALL = 0x3f;
        private int busy;
        int congested;

        /** A circuit number, or -1 after the given time. */
        synchronized int seize(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while ((busy & ALL) == ALL) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    congested++;
                    return -1;
                }
                wait(left);
            }
            int cic = Integer.numberOfTrailingZeros(~busy);
            busy |= 1 << cic;
            return cic;
        }

        synchronized void release(int cic) {
            if ((busy & (1 << cic)) == 0) broken = "circuit " + cic + " released while idle";
            busy &= ~(1 << cic);
            notify();
        }
    }

    static final class CdrFile {
        private long lines, seconds, rotated;

        synchronized void append(int cic, int length) throws InterruptedException {
            lines++;
            Thread.sleep(1);              // the flash is slow
            seconds += length;
            if (seconds < lines) broken = "ticket of less than one second";
        }

        synchronized long rotate() throws InterruptedException {
            long n = lines;
            rotated += n;
            Thread.sleep(2);
            if (lines != n) broken = "line lost in rotation";
            lines = 0;
            seconds = 0;
            return rotated;
        }
    }

    static final Group group = new Group();
    static final CdrFile cdr = new CdrFile();
    static final AtomicIntegerArray inUse = new AtomicIntegerArray(6);
    static final AtomicInteger talking = new AtomicInteger();

    static void subscriber() throws InterruptedException {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        while (!stop) {
            int cic = group.seize(200);
            if (cic < 0) continue;
            if (inUse.incrementAndGet(cic) != 1) broken = "two calls on circuit " + cic;
            if (talking.incrementAndGet() > 6) broken = "more calls than circuits";
            int t = r.nextInt(4, 14);
            Thread.sleep(t);
            talking.decrementAndGet();
            inUse.decrementAndGet(cic);
            group.release(cic);
            cdr.append(cic, t);
            ops.incrementAndGet();
            Thread.sleep(r.nextInt(1, 4));
        }
    }

    static void chargingCentre() throws InterruptedException {
        while (!stop) {
            Thread.sleep(20);
            cdr.rotate();
        }
    }

    interface Body { void run() throws InterruptedException; }

    static void start(String name, Body b) {
        Thread t = new Thread(() -> {
            try { b.run(); } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 11; i++) start("subscriber-" + i, TrunkGroup::subscriber);
        start("charging", TrunkGroup::chargingCentre);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
    }
}
