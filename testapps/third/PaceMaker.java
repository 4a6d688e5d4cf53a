// @lock PaceMaker$Animator
// @type DELAY
// @role delay PaceMaker$Animator.pace
//
// @lock PaceMaker$Scene
// @type MUTEX
// @role enter PaceMaker$Scene.advance
// @role enter PaceMaker$Scene.paint

import java.util.concurrent.atomic.AtomicLong;

/** Animations that keep a frame rate: what is left of a frame is waited away on the animation itself, which nobody ever notifies. */
public final class PaceMaker {
    static final class Scene {
        private int x;
        private int y;

        synchronized void advance() throws InterruptedException {
            x++;
            Thread.sleep(1);
            y++;
        }

        synchronized boolean paint() throws InterruptedException {
            boolean whole = x == y;
            Thread.sleep(2);
            return whole && x == y;
        }
    }

    static final class Animator implements Runnable {
        private final Scene scene;
        private final long frameMillis;

        Animator(Scene scene, long frameMillis) {
            this.scene = scene;
            this.frameMillis = frameMillis;
        }

        private synchronized void pace(long began) throws InterruptedException {
            long left = frameMillis - (System.currentTimeMillis() - began);
            if (left > 0) {
                wait(left);
            }
        }

        @Override
        public void run() {
            try {
                while (!stop) {
                    long began = System.currentTimeMillis();
                    scene.advance();
                    frames.incrementAndGet();
                    pace(began);
                }
            } catch (InterruptedException e) {
                torn = true;
            }
        }
    }

    private static volatile boolean stop;
    private static volatile boolean torn;
    private static final AtomicLong frames = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Scene scene = new Scene();
        Thread[] threads = new Thread[5];
        for (int i = 0; i < 4; i++) {
            threads[i] = new Thread(new Animator(scene, 9 + 2 * i), "animator-" + i);
        }
        threads[4] = new Thread(() -> {
            try {
                while (!stop) {
                    if (!scene.paint()) {
                        torn = true;
                    }
                    Thread.sleep(6);
                }
            } catch (InterruptedException e) {
                torn = true;
            }
        }, "painter");
        for (Thread t : threads) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        if (torn || frames.get() == 0) {
            throw new IllegalStateException("a frame was torn");
        }
        System.out.println("DONE " + frames);
    }
}
