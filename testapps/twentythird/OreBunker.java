// @lock OreBunker$Bunker
// @type PRODUCER-CONSUMER capacity=6
// @role put OreBunker$Bunker.tip
// @role take OreBunker$Bunker.draw
//
// @lock OreBunker$Whistle
// @type LATCH count=1
// @role count-down OreBunker$Whistle.blow
// @role await OreBunker$Whistle.hear
// @quiet

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bunker for six loads. Its contents have one monitor; lorries wait for room on a second and wagons for ore on a third,
 * each of which counts its signals, so that none can be missed between looking and waiting.
 */
public class OreBunker {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    static class Bunker {
        private final int[] heap = new int[6];
        private int loads;
        private final Object room = new Object();
        private long roomSignals;
        private final Object ore = new Object();
        private long oreSignals;

        void tip(int load) throws InterruptedException {
            while (true) {
                long seen;
                synchronized (room) {
                    seen = roomSignals;
                }
                boolean tipped = false;
                synchronized (this) {
                    if (loads < heap.length) {
                        heap[loads++] = load;
                        tipped = true;
                    }
                }
                if (tipped) {
                    synchronized (ore) {
                        oreSignals++;
                        ore.notifyAll();
                    }
                    return;
                }
                synchronized (room) {
                    while (roomSignals == seen) {
                        room.wait();
                    }
                }
            }
        }

        int draw() throws InterruptedException {
            while (true) {
                long seen;
                synchronized (ore) {
                    seen = oreSignals;
                }
                int load = 0;
                synchronized (this) {
                    if (loads > 0) {
                        load = heap[0];
                        System.arraycopy(heap, 1, heap, 0, --loads);
                        Arrays.fill(heap, loads, heap.length, 0);
                    }
                }
                if (load > 0) {
                    synchronized (room) {
                        roomSignals++;
                        room.notifyAll();
                    }
                    return load;
                }
                synchronized (ore) {
                    while (oreSignals == seen) {
                        ore.wait();
                    }
                }
            }
        }
    }

    /** Blown once, when the shift begins. */
    static class Whistle {
        private boolean blown;

        synchronized void hear() throws InterruptedException {
            while (!blown) {
                wait();
            }
        }

        synchronized void blow() {
            blown = true;
            notifyAll();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Bunker bunker = new Bunker();
        Whistle whistle = new Whistle();
        AtomicLong in = new AtomicLong();
        AtomicLong out = new AtomicLong();
        AtomicLong tours = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            loop("lorry-" + i, () -> {
                whistle.hear();
                int load = ThreadLocalRandom.current().nextInt(1, 10);
                in.addAndGet(load);
                bunker.tip(load);
                if (tours.incrementAndGet() / 120 % 2 == 0) {
                    nap(2, 4);
                } else {
                    nap(8, 16);
                }
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("wagon-" + i, () -> {
                check(out.addAndGet(bunker.draw()) <= in.get(), "more ore out than in");
                nap(3, 6);
            });
        }
        nap(20, 40);
        whistle.blow();
        finish(args);
    }
}
