// @lock GoCrawl$WaitGroup
// @type LATCH count=4
// @role count-down GoCrawl$WaitGroup.done
// @role await GoCrawl$WaitGroup.await

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A crawler carried over from Go: every page has four links, fetched by whoever is free, and a wait group to wait for them. */
public final class GoCrawl {
    /** sync.WaitGroup; a new one for each page, told the number of its links before the first of them is handed out. */
    static final class WaitGroup {
        private int counter;

        synchronized void add(int delta) {
            counter += delta;
            if (counter < 0) {
                throw new IllegalStateException("sync: negative WaitGroup counter");
            }
            if (counter == 0) {
                notifyAll();
            }
        }

        synchronized void done() {
            if (counter <= 0) {
                throw new IllegalStateException("sync: negative WaitGroup counter");
            }
            if (--counter == 0) {
                notifyAll();
            }
        }

        synchronized void await() throws InterruptedException {
            while (counter > 0) {
                wait();
            }
        }
    }

    private static final ConcurrentLinkedQueue<Runnable> runnable = new ConcurrentLinkedQueue<>();
    private static final AtomicLong pages = new AtomicLong();
    private static volatile String failure;

    private static void fetcher() {
        try {
            while (failure == null) {
                Runnable r = runnable.poll();
                if (r == null) {
                    Thread.sleep(1);
                } else {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                    r.run();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            failure = e.getMessage();
        }
    }

    private static void crawler() {
        try {
            while (failure == null) {
                WaitGroup wg = new WaitGroup();
                AtomicInteger fetched = new AtomicInteger();
                wg.add(4);
                for (int link = 0; link < 4; link++) {
                    runnable.add(() -> {
                        try {
                            fetched.incrementAndGet();
                        } finally {
                            wg.done();
                        }
                    });
                }
                wg.await();
                if (fetched.get() != 4) {
                    failure = "went on with " + fetched + " links";
                }
                pages.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void go(Runnable body) {
        Thread t = new Thread(body);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            go(GoCrawl::fetcher);
        }
        for (int i = 0; i < 3; i++) {
            go(GoCrawl::crawler);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + pages);
    }
}
