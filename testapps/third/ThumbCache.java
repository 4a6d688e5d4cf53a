// @lock ThumbCache$LruMap
// @type MUTEX
// @role enter ThumbCache.thumbnail
// @role enter ThumbCache.forget

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Thumbnails kept by last use and made on demand, under the lock of the map, as such caches tend to do. */
public final class ThumbCache {
    static final class LruMap extends LinkedHashMap<String, int[]> {
        private static final long serialVersionUID = 1;

        LruMap() {
            super(32, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, int[]> eldest) {
            return size() > 20;
        }
    }

    private final LruMap cache = new LruMap();
    private int misses;

    public int[] thumbnail(String picture) {
        synchronized (cache) {
            int[] thumb = cache.get(picture);
            if (thumb == null) {
                misses++;
                thumb = render(picture);
                cache.put(picture, thumb);
            }
            return thumb;
        }
    }

    public boolean forget(String picture) {
        synchronized (cache) {
            return cache.remove(picture) != null;
        }
    }

    private static int[] render(String picture) {
        int[] pixels = new int[64];
        for (int i = 0; i < 64; i++) {
            pixels[i] = picture.hashCode() ^ i;
        }
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return pixels;
    }

    private static final AtomicLong shown = new AtomicLong();
    private static volatile boolean closed;
    private static volatile boolean mixedUp;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ThumbCache thumbs = new ThumbCache();
        Thread[] views = new Thread[6];
        for (int i = 0; i < views.length; i++) {
            boolean edits = i == 0;
            views[i] = new Thread(() -> {
                while (!closed) {
                    String picture = "p" + ThreadLocalRandom.current().nextInt(40);
                    if (edits) {
                        thumbs.forget(picture);
                    } else if (thumbs.thumbnail(picture)[5] != (picture.hashCode() ^ 5)) {
                        mixedUp = true;
                    }
                    shown.incrementAndGet();
                    try {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }, edits ? "editor" : "view-" + i);
            views[i].setDaemon(true);
            views[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        closed = true;
        for (Thread t : views) {
            t.join(5_000);
        }
        if (mixedUp || thumbs.misses == 0 || thumbs.cache.size() > 20) {
            throw new IllegalStateException("the cache is wrong");
        }
        System.out.println("DONE " + shown);
    }
}
