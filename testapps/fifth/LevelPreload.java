// @lock LevelPreload$Level
// @type LATCH count=4
// @role count-down LevelPreload$Level.loaded
// @role await LevelPreload$Level.enter
// @role await LevelPreload$Level.showProgress

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A game loading its next level: four kinds of assets, a bit each; the game waits for all four, the loading screen looks in between. */
public final class LevelPreload {
    enum Asset {
        MESHES, TEXTURES, SOUNDS, SCRIPTS;

        int bit() {
            return 1 << ordinal();
        }
    }

    static final class Level {
        private static final int COMPLETE = (1 << Asset.values().length) - 1;
        private int mask;

        void loaded(Asset asset) {
            synchronized (this) {
                mask |= asset.bit();
                if (mask != COMPLETE) {
                    return;
                }
                notifyAll();
            }
        }

        int enter() throws InterruptedException {
            synchronized (this) {
                while (mask != COMPLETE) {
                    wait();
                }
                return mask;
            }
        }

        /** Draws what there is every few milliseconds until the level is complete. */
        int showProgress() throws InterruptedException {
            int drawn = 0;
            synchronized (this) {
                while (mask != COMPLETE) {
                    drawn += Integer.bitCount(mask);
                    wait(3);
                }
            }
            return drawn;
        }
    }

    static final class Job {
        final Level level;
        final Asset asset;

        Job(Level level, Asset asset) {
            this.level = level;
            this.asset = asset;
        }
    }

    private final ConcurrentLinkedQueue<Job> jobs = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Level> screens = new ConcurrentLinkedQueue<>();
    private final AtomicLong levels = new AtomicLong();
    private final AtomicLong strokes = new AtomicLong();
    private volatile boolean failed;

    private void load() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        Job job = jobs.poll();
        if (job != null) {
            job.level.loaded(job.asset);
        }
    }

    private void play() throws InterruptedException {
        Level level = new Level();
        for (Asset a : Asset.values()) {
            jobs.add(new Job(level, a));
        }
        screens.add(level);
        if (level.enter() != Level.COMPLETE) {
            failed = true;
        }
        levels.incrementAndGet();
    }

    private void draw() throws InterruptedException {
        Level level = screens.poll();
        if (level == null) {
            Thread.sleep(1);
            return;
        }
        strokes.addAndGet(level.showProgress());
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private Thread daemon(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (!failed) {
                    step.run();
                }
            } catch (InterruptedException e) {
                failed = true;
            }
        }, name);
        t.setDaemon(true);
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LevelPreload game = new LevelPreload();
        for (int i = 0; i < 4; i++) {
            game.daemon("loader-" + i, game::load).start();
        }
        for (int i = 0; i < 2; i++) {
            game.daemon("player-" + i, game::play).start();
            game.daemon("screen-" + i, game::draw).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (game.failed) {
            throw new IllegalStateException("a level was entered with assets missing");
        }
        System.out.println("DONE " + game.levels);
    }
}
