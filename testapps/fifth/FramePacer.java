// @lock FramePacer$Pacer
// @type DELAY
// @role delay FramePacer$Pacer.untilNextFrame

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A game: simulation, sound and picture each keep to a frame rate of their own by waiting out what is left of a frame. */
public final class FramePacer {
    static final class Pacer {
        private final long frame;
        private long next;

        Pacer(int millis) {
            frame = millis * 1_000_000L;
            next = System.nanoTime();
        }

        /** Waits until the frame is over; a frame that took too long moves the schedule instead. */
        synchronized void untilNextFrame() throws InterruptedException {
            next += frame;
            long left = next - System.nanoTime();
            if (left <= 0) {
                next -= left;
                return;
            }
            while (left > 0) {
                wait(left / 1_000_000 + 1);
                left = next - System.nanoTime();
            }
        }
    }

    abstract static class Stage implements Runnable {
        final Pacer pacer;
        final AtomicLong frames = new AtomicLong();

        Stage(int millis) {
            pacer = new Pacer(millis);
        }

        abstract void frame();

        @Override
        public void run() {
            try {
                while (true) {
                    frame();
                    pacer.untilNextFrame();
                    frames.incrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Physics extends Stage {
        private final double[] place = new double[64];

        Physics() {
            super(4);
        }

        @Override
        void frame() {
            for (int i = 0; i < place.length; i++) {
                place[i] += ThreadLocalRandom.current().nextDouble() - 0.5;
            }
        }
    }

    static final class Sound extends Stage {
        private int phase;

        Sound() {
            super(3);
        }

        @Override
        void frame() {
            phase = (phase + 441) % 44_100;
        }
    }

    static final class Picture extends Stage {
        private long drawn;

        Picture() {
            super(8);
        }

        @Override
        void frame() {
            drawn++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Stage[] stages = {new Physics(), new Sound(), new Picture()};
        long begin = System.nanoTime();
        for (Stage s : stages) {
            Thread t = new Thread(s, s.getClass().getSimpleName());
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long sum = 0;
        for (Stage s : stages) {
            long frames = s.frames.get();
            long allowed = (System.nanoTime() - begin) / s.pacer.frame + 2;
            if (frames == 0 || frames > allowed) {
                throw new IllegalStateException(frames + " frames where " + allowed + " are allowed");
            }
            sum += frames;
        }
        System.out.println("DONE " + sum);
    }
}
