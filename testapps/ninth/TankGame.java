// @lock TankGame$FrameSync
// @type BARRIER parties=3
// @role arrive TankGame$FrameSync.endFrame
//
// @lock TankGame$TerrainLock
// @type READ-WRITE preference=writers
// @role read-lock TankGame$TerrainLock.read
// @role read-unlock TankGame$TerrainLock.readDone
// @role write-lock TankGame$TerrainLock.write
// @role write-unlock TankGame$TerrainLock.writeDone

import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A game loop ported from C++: physics, AI and sound end every frame together; terrain is read by them and blown up by shells. */
public class TankGame {
    /** Sense reversing; the colour of a frame is black or white. */
    static class FrameSync {
        private final int workers;
        private int stillBusy;
        private boolean white;

        FrameSync(int workers) {
            this.workers = workers;
            this.stillBusy = workers;
        }

        synchronized void endFrame() throws InterruptedException {
            boolean colour = white;
            if (--stillBusy > 0) {
                while (colour == white) {
                    this.wait();
                }
            } else {
                stillBusy = workers;
                white = !colour;
                this.notifyAll();
            }
        }

        @Override
        public String toString() {
            return "FrameSync of " + workers;
        }
    }

    static class TerrainLock {
        private int state; // readers, or -1
        private int writersWaiting;

        synchronized void read() throws InterruptedException {
            while (state < 0 || writersWaiting > 0) {
                wait();
            }
            state++;
        }

        synchronized void readDone() {
            state--;
            if (state == 0) {
                notifyAll();
            }
        }

        synchronized void write() throws InterruptedException {
            writersWaiting++;
            try {
                while (state != 0) {
                    wait();
                }
                state = -1;
            } finally {
                writersWaiting--;
                if (state >= 0) {
                    notifyAll();
                }
            }
        }

        synchronized void writeDone() {
            state = 0;
            notifyAll();
        }
    }

    static final class ReadGuard implements AutoCloseable {
        private final TerrainLock lock;

        ReadGuard(TerrainLock lock) throws InterruptedException {
            this.lock = lock;
            lock.read();
        }

        @Override
        public void close() {
            lock.readDone();
        }
    }

    static final class WriteGuard implements AutoCloseable {
        private final TerrainLock lock;

        WriteGuard(TerrainLock lock) throws InterruptedException {
            this.lock = lock;
            lock.write();
        }

        @Override
        public void close() {
            lock.writeDone();
        }
    }

    static final int[] height = new int[64];
    static final FrameSync frames = new FrameSync(3);
    static final TerrainLock terrain = new TerrainLock();
    static final AtomicIntegerArray frameOf = new AtomicIntegerArray(3);
    static final AtomicLong shells = new AtomicLong();
    static volatile String crash;

    /** Soil is thrown from one place to another; there is never more or less of it. */
    static void look() throws InterruptedException {
        int soil = 0;
        try (ReadGuard guard = new ReadGuard(terrain)) {
            for (int i = 0; i < height.length; i++) {
                soil += height[i];
                if (i == 32) {
                    Thread.sleep(guard.hashCode() & 1);
                }
            }
        }
        if (soil != 0) {
            crash = "soil: " + soil;
        }
    }

    static class Subsystem extends Thread {
        final int index;
        final Random random;

        Subsystem(int index) {
            this.index = index;
            this.random = new Random(index);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int f = 1; crash == null; f++) {
                    look();
                    sleep(1 + random.nextInt(3));
                    frameOf.set(index, f);
                    frames.endFrame();
                    for (int i = 0; i < 3; i++) {
                        if (frameOf.get(i) < f || frameOf.get(i) > f + 1) {
                            crash = "frame " + frameOf.get(i) + " beside frame " + f;
                        }
                    }
                }
            } catch (InterruptedException e) {
                crash = "interrupted";
            }
        }
    }

    static class Gun extends Thread {
        final Random random;

        Gun(int seed) {
            random = new Random(seed);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (crash == null) {
                    int at = random.nextInt(64);
                    try (WriteGuard guard = new WriteGuard(terrain)) {
                        height[at] -= 9;
                        sleep(1 + (guard.hashCode() & 1));
                        height[(at + 63) % 64] += 4;
                        height[(at + 1) % 64] += 5;
                    }
                    shells.incrementAndGet();
                    sleep(2 + random.nextInt(5));
                }
            } catch (InterruptedException e) {
                crash = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            new Subsystem(i).start();
            if (i > 0) {
                new Gun(10 + i).start();
            }
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (crash != null) {
            System.err.println(crash);
            System.exit(1);
        }
        System.out.println("DONE " + (frameOf.get(0) + shells.get()));
    }
}
