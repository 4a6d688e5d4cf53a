// @lock FrameWatch$Scene
// @type CONDITION
// @role wait FrameWatch$Scene.awaitNewer
// @role notify FrameWatch$Scene.publish

import java.util.concurrent.atomic.AtomicLong;

/** A game loop publishes numbered frames; renderer, recorder and network wait for a newer one than they have. */
public class FrameWatch {
    static final class Frame {
        final long number;
        final float[] positions;

        Frame(long number, float[] positions) {
            this.number = number;
            this.positions = positions;
        }
    }

    static class Scene {
        private Frame latest = new Frame(0, new float[0]);

        synchronized void publish(Frame f) {
            if (f.number <= latest.number) {
                throw new IllegalArgumentException("old frame");
            }
            latest = f;
            notifyAll();
        }

        synchronized Frame awaitNewer(long seen) throws InterruptedException {
            while (latest.number <= seen) {
                wait(250);
            }
            return latest;
        }
    }

    static volatile String broken;
    static final AtomicLong shown = new AtomicLong();

    static void gameLoop(Scene scene) throws InterruptedException {
        float[] pos = new float[40];
        for (long n = 1;; n++) {
            long start = System.nanoTime();
            float[] next = new float[pos.length];
            for (int i = 0; i < pos.length; i++) {
                next[i] = pos[i] + (float) Math.cos(i + n * 0.02);
            }
            pos = next;
            scene.publish(new Frame(n, pos));
            long used = (System.nanoTime() - start) / 1_000_000;
            Thread.sleep(Math.max(1, 8 - used));
        }
    }

    static void consume(Scene scene, int cost) throws InterruptedException {
        long seen = 0;
        while (true) {
            Frame f = scene.awaitNewer(seen);
            if (f.number <= seen || f.positions.length != 40) {
                broken = "frame " + f.number + " after " + seen;
            }
            seen = f.number;
            Thread.sleep(cost);
            shown.incrementAndGet();
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    static void start(String name, Body body) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    body.run();
                } catch (InterruptedException | RuntimeException e) {
                    broken = name + ": " + e;
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Scene scene = new Scene();
        start("renderer", () -> consume(scene, 3));
        start("recorder", () -> consume(scene, 1));
        start("network", () -> consume(scene, 10));
        start("game-loop", () -> gameLoop(scene));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + shown);
    }
}
