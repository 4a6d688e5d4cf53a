// @lock RenderHub$Hub
// @type PRODUCER-CONSUMER+CONDITION capacity=6
// @role put RenderHub$Hub.submit
// @role take RenderHub$Hub.next
// @role wait RenderHub$Hub.settle
// @role notify RenderHub$Hub.finished
//
// @lock RenderHub$Frame
// @type LATCH count=10
// @role count-down RenderHub$Frame.tileDone
// @role await RenderHub$Frame.complete

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A renderer: frames are cut into ten tiles each that go through one hub; a saver writes to disk when the hub has come to rest. */
public class RenderHub {
    static final int TILES = 10;
    static volatile String fault;
    static final AtomicLong frames = new AtomicLong();

    static final class Frame {
        private int open = TILES;
        private int drawn;

        void tileDone() {
            synchronized (this) {
                drawn++;
                if (--open == 0) {
                    notifyAll();
                }
            }
        }

        int complete() throws InterruptedException {
            synchronized (this) {
                while (open != 0) {
                    wait();
                }
                return drawn;
            }
        }
    }

    static final class Hub {
        private final List<Frame> tiles = new ArrayList<>();
        private int outstanding;

        synchronized void submit(Frame of) throws InterruptedException {
            while (tiles.size() == 6) {
                wait();
            }
            tiles.add(of);
            outstanding++;
            notifyAll();
        }

        synchronized Frame next() throws InterruptedException {
            while (tiles.isEmpty()) {
                wait();
            }
            notifyAll();
            return tiles.remove(0);
        }

        synchronized void finished() {
            if (--outstanding < 0) {
                throw new IllegalStateException("more finished than begun");
            }
            if (outstanding == 0) {
                notifyAll();
            }
        }

        /** Until everything submitted so far, and since, has been finished. */
        synchronized void settle() throws InterruptedException {
            while (outstanding > 0) {
                wait();
            }
        }
    }

    interface Loop {
        void once() throws InterruptedException;
    }

    static void start(String name, Loop l) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    l.once();
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Hub hub = new Hub();
        start("camera", () -> {
            Frame f = new Frame();
            for (int i = 0; i < TILES; i++) {
                hub.submit(f);
            }
            if (f.complete() != TILES) {
                fault = "a frame with holes";
            }
            frames.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(8, 16));
        });
        for (int i = 0; i < 2; i++) {
            start("painter-" + i, () -> {
                Frame f = hub.next();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 4));
                hub.finished();
                f.tileDone();
            });
        }
        start("saver", () -> {
            hub.settle();
            Thread.sleep(ThreadLocalRandom.current().nextInt(14, 24));
        });
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + frames.get());
        System.exit(0);
    }
}
