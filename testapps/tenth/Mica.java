// @lock Mica$Shelf
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire Mica$Shelf.lease
// @role release Mica$Shelf.giveBack

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Four scratch images made on demand and used again; a renderer gives up after a while and broken images are replaced. */
public final class Mica {
    static final class Image {
        private static final AtomicLong numbers = new AtomicLong();
        final long number = numbers.incrementAndGet();
        final AtomicBoolean used = new AtomicBoolean();
        int strokes;
    }

    static final class Shelf {
        private final int most;
        private final Deque<Image> idle = new ArrayDeque<>();
        private final Map<Image, String> out = new IdentityHashMap<>();

        Shelf(int most) {
            this.most = most;
        }

        synchronized Image lease(String who, long millis) throws InterruptedException {
            long until = System.nanoTime() + millis * 1_000_000L;
            Image image;
            while ((image = pick()) == null) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return null;
                }
                wait(left / 1_000_000L, (int) (left % 1_000_000L));
            }
            out.put(image, who);
            return image;
        }

        private Image pick() {
            if (!idle.isEmpty()) {
                return idle.pop();
            }
            return out.size() < most ? new Image() : null;
        }

        synchronized void giveBack(Image image) {
            if (out.remove(image) == null) {
                throw new IllegalArgumentException("image " + image.number + " is not out");
            }
            if (image.strokes < 50) {
                idle.push(image);
            }
            notify();
        }

        synchronized int size() {
            return idle.size() + out.size();
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static final AtomicLong refused = new AtomicLong();
    private static volatile String failure;

    private static void render(Shelf shelf, String name) throws InterruptedException {
        Image image = shelf.lease(name, 12);
        if (image == null) {
            refused.incrementAndGet();
            return;
        }
        if (!image.used.compareAndSet(false, true)) {
            failure = "image " + image.number + " is used twice";
        }
        image.strokes++;
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
        image.used.set(false);
        shelf.giveBack(image);
        ops.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Shelf shelf = new Shelf(4);
        for (int i = 0; i < 9; i++) {
            String name = "renderer-" + i;
            Thread t = new Thread(() -> {
                try {
                    while (failure == null) {
                        render(shelf, name);
                    }
                } catch (InterruptedException e) {
                    failure = name + " was interrupted";
                }
            }, name);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (shelf.size() > 4) {
            failure = "more than four images";
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops + " refused " + refused);
    }
}
