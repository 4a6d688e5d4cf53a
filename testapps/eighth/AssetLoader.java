// @lock AssetLoader$Level
// @type LATCH count=4
// @role count-down AssetLoader$Level.loaded
// @role await AssetLoader$Level.awaitAll

import java.util.concurrent.atomic.AtomicLong;

/**
 * A game loads its levels in the background. Four loaders set a bit each when their part of a level is in memory; drawing
 * begins, and the loading screen goes, when no bit is missing.
 */
public final class AssetLoader {
    private static final int TEXTURES = 1;
    private static final int MESHES = 2;
    private static final int SOUNDS = 4;
    private static final int SCRIPTS = 8;
    private static final int ALL = TEXTURES | MESHES | SOUNDS | SCRIPTS;

    static final class Level {
        final int number;
        private final long[] bytes = new long[4];
        private int present;

        Level(int number) {
            this.number = number;
        }

        synchronized void loaded(int part, long size) {
            bytes[Integer.numberOfTrailingZeros(part)] = size;
            present |= part;
            if (present == ALL) {
                notifyAll();
            }
        }

        synchronized long awaitAll() throws InterruptedException {
            while (present != ALL) {
                wait();
            }
            return bytes[0] + bytes[1] + bytes[2] + bytes[3];
        }

        /** For the loading screen, which has something to draw meanwhile. */
        synchronized boolean awaitAll(long millis) throws InterruptedException {
            long until = System.currentTimeMillis() + millis;
            long left = millis;
            while (present != ALL && left > 0) {
                wait(left);
                left = until - System.currentTimeMillis();
            }
            return present == ALL;
        }
    }

    private static volatile Level current = new Level(0);
    private static volatile boolean quit;
    private static volatile Throwable failure;
    private static final AtomicLong played = new AtomicLong();

    private static Thread thread(String name, Job job) {
        Thread thread = new Thread(() -> {
            try {
                job.run();
            } catch (Throwable t) {
                failure = t;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private interface Job {
        void run() throws InterruptedException;
    }

    private static void load(int part) throws InterruptedException {
        for (int done = 0; !quit; ) {
            Level level = current;
            if (level.number == done) {
                Thread.sleep(1);
                continue;
            }
            done = level.number;
            Thread.sleep(1 + (part + done) % 4);
            level.loaded(part, part * 100L + done);
        }
    }

    private static void play() throws InterruptedException {
        for (int number = 1; !quit; number++) {
            Level level = new Level(number);
            current = level;
            if (level.awaitAll() != 1500 + 4L * number) {
                throw new IllegalStateException("level " + number + " was played before it was there");
            }
            played.incrementAndGet();
        }
    }

    private static void showProgress() throws InterruptedException {
        while (!quit) {
            Level level = current;
            if (level.number == 0 || level.awaitAll(500)) {
                Thread.sleep(1);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int part = TEXTURES; part < ALL; part <<= 1) {
            int mine = part;
            thread("loader-" + part, () -> load(mine));
        }
        thread("screen", AssetLoader::showProgress);
        Thread player = thread("player", AssetLoader::play);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        quit = true;
        player.join(1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        System.out.println("DONE " + played);
    }
}
