// @lock TileLock
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock TileLock.beginView
// @role read-unlock TileLock.endView
// @role write-lock TileLock.beginRedraw
// @role write-unlock TileLock.endRedraw
// @lock HitCounter
// @type MUTEX
// @role enter HitCounter.hit
// @role enter HitCounter.total
// @quiet

import java.util.Arrays;

/** A map service: viewers read tiles, a few cartographers redraw them whole; viewers are served first. */
public class MapTiles {
    static volatile String torn;

    static class Tile {
        final int[] pixels = new int[64];

        int sum() {
            int s = pixels[0];
            for (int p : pixels) {
                if (p != s) {
                    torn = "half a redraw seen";
                }
            }
            return s;
        }
    }

    static class Viewer implements Runnable {
        final TileLock lock;
        final Tile tile;
        final HitCounter hits;

        Viewer(TileLock l, Tile t, HitCounter h) {
            lock = l;
            tile = t;
            hits = h;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    lock.beginView();
                    try {
                        int a = tile.sum();
                        Thread.sleep(2);
                        if (tile.sum() != a) {
                            torn = "changed under the viewer";
                        }
                    } finally {
                        lock.endView();
                    }
                    hits.hit();
                    Thread.sleep(7);
                }
            } catch (InterruptedException e) {
                torn = "viewer interrupted";
            }
        }
    }

    static class Cartographer implements Runnable {
        final TileLock lock;
        final Tile tile;

        Cartographer(TileLock l, Tile t) {
            lock = l;
            tile = t;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    lock.beginRedraw();
                    try {
                        int next = tile.pixels[0] + 1;
                        Arrays.fill(tile.pixels, 0, 32, next);
                        Thread.sleep(3);
                        Arrays.fill(tile.pixels, 32, 64, next);
                    } finally {
                        lock.endRedraw();
                    }
                    Thread.sleep(5);
                }
            } catch (InterruptedException e) {
                torn = "cartographer interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        TileLock lock = new TileLock();
        Tile tile = new Tile();
        HitCounter hits = new HitCounter();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(i < 4 ? new Viewer(lock, tile, hits) : new Cartographer(lock, tile), "map-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && torn == null) {
            Thread.sleep(40);
        }
        if (torn != null) {
            System.out.println(torn);
            System.exit(1);
        }
        System.out.println("DONE " + hits.total());
    }
}

class TileLock {
    private int viewers;
    private boolean redrawing;

    synchronized void beginView() throws InterruptedException {
        while (redrawing) {
            wait();
        }
        viewers++;
    }

    synchronized void endView() {
        if (--viewers == 0) {
            notifyAll();
        }
    }

    synchronized void beginRedraw() throws InterruptedException {
        while (viewers > 0 || redrawing) {
            wait();
        }
        redrawing = true;
    }

    synchronized void endRedraw() {
        redrawing = false;
        notifyAll();
    }
}

class HitCounter {
    private long n;

    synchronized void hit() {
        n++;
    }

    synchronized long total() {
        return n;
    }
}
