// @lock CameraFeed$FrameRing
// @type PRODUCER-CONSUMER capacity=8
// @role put CameraFeed$FrameRing.put
// @role take CameraFeed$FrameRing.take

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Cameras deliver frames in bursts into a ring of eight; analysers take them out, now and then more slowly. */
public final class CameraFeed {
    static final class FrameRing {
        private final long[] slots = new long[8];
        private int head;
        private int tail;
        private int count;

        synchronized void put(long frame) throws InterruptedException {
            while (count == slots.length) {
                wait();
            }
            slots[tail] = frame;
            tail = (tail + 1) % slots.length;
            count++;
            notifyAll();
        }

        synchronized long take() throws InterruptedException {
            while (count == 0) {
                wait();
            }
            long frame = slots[head];
            head = (head + 1) % slots.length;
            count--;
            notifyAll();
            return frame;
        }
    }

    private static final long END = -1;
    private static final AtomicLong shot = new AtomicLong();
    private static final AtomicLong seen = new AtomicLong();
    private static final AtomicLong frames = new AtomicLong();
    private static volatile boolean stop;

    private static void camera(FrameRing ring) {
        try {
            while (!stop) {
                for (int i = 0; i < 12; i++) {
                    long frame = ThreadLocalRandom.current().nextLong(1, 1000);
                    ring.put(frame);
                    shot.addAndGet(frame);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(15, 35));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void analyser(FrameRing ring) {
        try {
            for (long frame = ring.take(); frame != END; frame = ring.take()) {
                seen.addAndGet(frame);
                frames.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        FrameRing ring = new FrameRing();
        Thread[] cameras = new Thread[2];
        Thread[] analysers = new Thread[2];
        for (int i = 0; i < 2; i++) {
            cameras[i] = new Thread(() -> camera(ring), "camera-" + i);
            analysers[i] = new Thread(() -> analyser(ring), "analyser-" + i);
            cameras[i].setDaemon(true);
            analysers[i].setDaemon(true);
            cameras[i].start();
            analysers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : cameras) {
            t.join(5_000);
        }
        ring.put(END);
        ring.put(END);
        for (Thread t : analysers) {
            t.join(5_000);
        }
        if (shot.get() != seen.get()) {
            throw new IllegalStateException(shot + " went in, " + seen + " came out");
        }
        System.out.println("DONE " + frames);
    }
}
