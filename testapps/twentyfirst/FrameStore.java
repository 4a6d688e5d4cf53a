// @lock FrameStore$Store
// @type PRODUCER-CONSUMER capacity=8
// @role put FrameStore$Store.put
// @role take FrameStore$Store.take
//
// @lock FrameStore$Statistics
// @type MUTEX
// @role enter FrameStore$Statistics.record
// @role enter FrameStore$Statistics.report

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A video mixer. Grabbers put frames into a store of eight, mixers take them out. The store has a monitor of its own for the
 * frames, one on which grabbers wait for room and one on which mixers wait for frames, so that each side wakes only the other.
 */
public class FrameStore {

    static class Frame {
        final int camera;
        final long number;

        Frame(int camera, long number) {
            this.camera = camera;
            this.number = number;
        }
    }

    static class Store {
        private static class Side {
        }

        private final Side grabbers = new Side();
        private final Side mixers = new Side();
        private final Frame[] frames;
        private int used;
        private int oldest;

        Store(int size) {
            frames = new Frame[size];
        }

        void put(Frame f) throws InterruptedException {
            synchronized (grabbers) {
                while (!stored(f)) {
                    grabbers.wait();
                }
            }
            synchronized (mixers) {
                mixers.notify();
            }
        }

        Frame take() throws InterruptedException {
            Frame f;
            synchronized (mixers) {
                while ((f = fetched()) == null) {
                    mixers.wait();
                }
            }
            synchronized (grabbers) {
                grabbers.notify();
            }
            return f;
        }

        private synchronized boolean stored(Frame f) {
            if (used == frames.length) {
                return false;
            }
            frames[(oldest + used) % frames.length] = f;
            used++;
            return true;
        }

        private synchronized Frame fetched() {
            if (used == 0) {
                return null;
            }
            Frame f = frames[oldest];
            oldest = (oldest + 1) % frames.length;
            used--;
            return f;
        }
    }

    static class Statistics {
        private long frames;
        private long halves;

        synchronized void record() throws InterruptedException {
            frames++;
            Thread.sleep(1);
            halves += 2;
        }

        synchronized boolean report() {
            return halves == 2 * frames;
        }
    }

    static final Store STORE = new Store(8);
    static final Statistics STATISTICS = new Statistics();
    static final AtomicLong in = new AtomicLong();
    static final AtomicLong out = new AtomicLong();
    static volatile String fault;

    static void grab(int camera) throws InterruptedException {
        Random random = new Random(camera);
        long number = 0;
        while (true) {
            int burst = 5 + random.nextInt(10);
            for (int i = 0; i < burst; i++) {
                in.incrementAndGet();
                STORE.put(new Frame(camera, number++));
            }
            Thread.sleep(20 + random.nextInt(30));
        }
    }

    static void mix(int seed) throws InterruptedException {
        Random random = new Random(seed);
        long[] seen = {-1, -1};
        while (true) {
            Frame f = STORE.take();
            if (f.number <= seen[f.camera]) {
                fault = "frame " + f.number + " after " + seen[f.camera];
            }
            seen[f.camera] = f.number;
            if (out.incrementAndGet() > in.get()) {
                fault = "a frame out of nothing";
            }
            STATISTICS.record();
            Thread.sleep(random.nextInt(2));
        }
    }

    static void monitor() throws InterruptedException {
        while (true) {
            if (!STATISTICS.report()) {
                fault = "statistics are torn";
            }
            Thread.sleep(7);
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    body.run();
                } catch (InterruptedException e) {
                    fault = "interrupted: " + getName();
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        spawn("grabber-0", () -> grab(0));
        spawn("grabber-1", () -> grab(1));
        spawn("mixer-0", () -> mix(10));
        spawn("mixer-1", () -> mix(11));
        spawn("mixer-2", () -> mix(12));
        spawn("monitor", FrameStore::monitor);
        System.out.println("READY");
        for (int i = 0; i < seconds * 10 && fault == null; i++) {
            Thread.sleep(100);
        }
        System.out.println(fault == null ? "DONE " + out : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
