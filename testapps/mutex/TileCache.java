// @lock TileCache$MapGuard
// @type MUTEX
// @role enter TileCache$Tiles.get
// @role enter TileCache$Budget.shrink

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A map viewer: tiles and the memory budget are two classes that must change together, under a lock made by neither. */
public final class TileCache {
    /** Only ever used as a monitor. */
    static final class MapGuard {
    }

    static final class Budget {
        private final MapGuard guard;
        private final ArrayDeque<Integer> age = new ArrayDeque<>();
        private int tiles;

        Budget(MapGuard guard) {
            this.guard = guard;
        }

        /** Called with the guard held. */
        private void charge(int key) {
            tiles++;
            age.addLast(key);
        }

        int shrink(Map<Integer, byte[]> map, int limit) throws InterruptedException {
            int evicted = 0;
            synchronized (guard) {
                while (tiles > limit) {
                    map.remove(age.removeFirst());
                    tiles--;
                    evicted++;
                }
                if (map.size() != tiles) {
                    throw new IllegalStateException("budget says " + tiles + ", map holds " + map.size());
                }
                if (evicted > 0) {
                    Thread.sleep(2); // unmapping
                }
            }
            return evicted;
        }
    }

    static final class Tiles {
        private final MapGuard guard;
        private final Budget budget;
        private final Map<Integer, byte[]> map = new HashMap<>();

        Tiles(MapGuard guard, Budget budget) {
            this.guard = guard;
            this.budget = budget;
        }

        byte[] get(int key) throws InterruptedException {
            synchronized (guard) {
                byte[] tile = map.get(key);
                if (tile == null) {
                    tile = new byte[256];
                    Thread.sleep(1); // read from disk
                    map.put(key, tile);
                    budget.charge(key);
                }
                return tile;
            }
        }
    }

    interface Task {
        void run() throws InterruptedException;
    }

    private static volatile boolean failed;
    private static volatile long evictions;

    private static void loop(String name, Task task) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    task.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            failed = true;
            e.printStackTrace();
        });
        MapGuard guard = new MapGuard();
        Budget budget = new Budget(guard);
        Tiles tiles = new Tiles(guard, budget);
        for (int i = 0; i < 4; i++) {
            loop("painter-" + i, () -> {
                int sum = 0;
                for (byte b : tiles.get(ThreadLocalRandom.current().nextInt(200))) {
                    sum += b;
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5) + sum);
            });
        }
        loop("evictor", () -> {
            evictions += budget.shrink(tiles.map, 100);
            Thread.sleep(10);
        });
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("map and budget disagreed");
        }
        System.out.println("DONE " + evictions);
    }
}
