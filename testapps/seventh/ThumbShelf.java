// @lock java.util.LinkedHashMap#find
// @type MUTEX
// @role enter ThumbShelf.find
// @role enter ThumbShelf.forget

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Thumbnails in a cache of thirty, least recently used first out; the map is its own lock, and a miss is loaded under it. */
public final class ThumbShelf {
    private static final int MOST = 30;

    private final Map<Integer, byte[]> shelf = new LinkedHashMap<>(64, 0.75f, true);
    private int bytes;

    byte[] find(int id) throws InterruptedException {
        synchronized (shelf) {
            byte[] image = shelf.get(id);
            if (image == null) {
                image = decode(id);
                shelf.put(id, image);
                bytes += image.length;
                while (shelf.size() > MOST) {
                    dropEldest();
                }
            }
            return image;
        }
    }

    boolean forget(int id) {
        synchronized (shelf) {
            byte[] gone = shelf.remove(id);
            if (gone != null) {
                bytes -= gone.length;
            }
            int sum = 0;
            for (byte[] b : shelf.values()) {
                sum += b.length;
            }
            return sum == bytes && shelf.size() <= MOST;
        }
    }

    private void dropEldest() {
        Iterator<byte[]> it = shelf.values().iterator();
        bytes -= it.next().length;
        it.remove();
    }

    private static byte[] decode(int id) throws InterruptedException {
        Thread.sleep(1);
        byte[] image = new byte[100 + id];
        image[0] = (byte) id;
        return image;
    }

    private static volatile boolean stop;
    private static volatile boolean broken;
    private static final AtomicLong shown = new AtomicLong();

    private void browse() {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            while (!stop) {
                int id = dice.nextInt(50);
                if (dice.nextInt(4) == 0) {
                    broken |= !forget(id);
                } else {
                    broken |= find(id)[0] != (byte) id;
                    shown.incrementAndGet();
                }
                if (dice.nextInt(3) == 0) {
                    Thread.sleep(dice.nextInt(1, 3));
                }
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ThumbShelf shelf = new ThumbShelf();
        Thread[] browsers = new Thread[5];
        for (int i = 0; i < browsers.length; i++) {
            browsers[i] = new Thread(shelf::browse, "browser-" + i);
            browsers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : browsers) {
            t.join();
        }
        if (broken) {
            throw new IllegalStateException("the shelf has lost count, or shows the wrong picture");
        }
        System.out.println("DONE " + shown);
    }
}
