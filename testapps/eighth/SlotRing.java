// @lock SlotRing$Slot
// @type PRODUCER-CONSUMER
// @role put SlotRing$Ring.put
// @role take SlotRing$Ring.take
//
// Composite: a monitor for each end of the ring, which gives out the slots in turn, and within it that of the slot, which
// makes the one wait who comes too early. No capacity is stated: four for the ring, one for each slot.

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Video pictures between decoders and screens, in four buffers that are filled in place. */
public final class SlotRing {
    private static final class Slot {
        final int[] picture = new int[16];
        boolean full;
    }

    static final class Ring {
        private final Object writeEnd = new Object();
        private final Object readEnd = new Object();
        private final Slot[] slots = {new Slot(), new Slot(), new Slot(), new Slot()};
        private long written;
        private long read;

        void put(int colour) throws InterruptedException {
            synchronized (writeEnd) {
                Slot slot = slots[(int) (written++ % slots.length)];
                synchronized (slot) {
                    while (slot.full) {
                        slot.wait();
                    }
                    for (int i = 0; i < slot.picture.length; i++) {
                        slot.picture[i] = colour;
                    }
                    slot.full = true;
                    slot.notify();
                }
            }
        }

        int take() throws InterruptedException {
            synchronized (readEnd) {
                Slot slot = slots[(int) (read++ % slots.length)];
                synchronized (slot) {
                    while (!slot.full) {
                        slot.wait();
                    }
                    int colour = slot.picture[0];
                    for (int pixel : slot.picture) {
                        if (pixel != colour) {
                            throw new IllegalStateException("half a picture");
                        }
                    }
                    slot.full = false;
                    slot.notify();
                    return colour;
                }
            }
        }
    }

    private static final AtomicLong in = new AtomicLong();
    private static final AtomicLong out = new AtomicLong();
    private static volatile Throwable failure;

    private static void decode(Ring ring) throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            ring.put(random.nextInt());
            in.incrementAndGet();
        }
        Thread.sleep(random.nextInt(1, 8));
    }

    private static void show(Ring ring) throws InterruptedException {
        ring.take();
        out.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    private interface Step {
        void run(Ring ring) throws InterruptedException;
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Ring ring = new Ring();
        for (int i = 0; i < 5; i++) {
            Step step = i < 2 ? SlotRing::decode : SlotRing::show;
            Thread thread = new Thread(() -> {
                try {
                    for (;;) {
                        step.run(ring);
                    }
                } catch (Throwable t) {
                    failure = t;
                }
            }, (i < 2 ? "decoder-" : "screen-") + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        long taken = out.get();
        if (in.get() + 2 < taken) {
            throw new IllegalStateException("more shown than decoded");
        }
        System.out.println("DONE " + taken);
    }
}
