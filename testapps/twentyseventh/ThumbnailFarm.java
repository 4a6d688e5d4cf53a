// @lock ThumbnailFarm$Inbox
// @type PRODUCER-CONSUMER capacity=4
// @role put ThumbnailFarm$Inbox.deliver
// @role take ThumbnailFarm$Inbox.collect
//
// @lock ThumbnailFarm$Scaler
// @type JOIN
// @role join ThumbnailFarm.awaitEnd

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A desktop picture browser: folders come in, each picture is scaled to three sizes, a thread for each size. */
public class ThumbnailFarm {
    static final AtomicLong done = new AtomicLong();
    static volatile String fault;

    static final class Picture {
        final int width;
        final int height;
        final long number;

        Picture(int width, int height, long number) {
            this.width = width;
            this.height = height;
            this.number = number;
        }
    }

    static final class Inbox {
        private static final int MOST = 4;
        private final Queue<Picture> waiting = new ArrayDeque<>();

        synchronized void deliver(Picture p) throws InterruptedException {
            while (isFull()) {
                wait();
            }
            waiting.add(p);
            notifyAll();
        }

        synchronized Picture collect() throws InterruptedException {
            while (waiting.isEmpty()) {
                wait();
            }
            Picture p = waiting.remove();
            notifyAll();
            return p;
        }

        private boolean isFull() {
            return waiting.size() >= MOST;
        }
    }

    static final class Scaler extends Thread {
        private final Picture source;
        private final int edge;
        private int pixels;

        Scaler(Picture source, int edge) {
            super("scale-" + edge);
            this.source = source;
            this.edge = edge;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(1 + edge / 64);
            } catch (InterruptedException e) {
                return;
            }
            pixels = edge * Math.max(1, edge * source.height / source.width);
        }
    }

    static void awaitEnd(Scaler s) throws InterruptedException {
        synchronized (s) {
            while (s.isAlive()) {
                s.wait();
            }
        }
    }

    static void browse(Inbox inbox) throws InterruptedException {
        long last = 0;
        for (;;) {
            Picture p = inbox.collect();
            if (p.number != last + 1) {
                fault = "picture " + p.number + " after " + last;
            }
            last = p.number;
            List<Scaler> team = new ArrayList<>();
            for (int edge = 64; edge <= 256; edge *= 2) {
                Scaler s = new Scaler(p, edge);
                s.start();
                team.add(s);
            }
            for (Scaler s : team) {
                awaitEnd(s);
                if (s.pixels == 0) {
                    fault = "an unfinished thumbnail was shown";
                }
            }
            done.incrementAndGet();
        }
    }

    static void importFolders(Inbox inbox) throws InterruptedException {
        long n = 0;
        for (;;) {
            int pictures = ThreadLocalRandom.current().nextInt(6, 11);
            for (int i = 0; i < pictures; i++) {
                inbox.deliver(new Picture(400 + i, 300, ++n));
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(35, 60));
        }
    }

    interface Work {
        void go() throws InterruptedException;
    }

    static void start(String name, Work w) {
        Thread t = new Thread(() -> {
            try {
                w.go();
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Inbox inbox = new Inbox();
            start("browser-" + i, () -> browse(inbox));
            start("importer-" + i, () -> importFolders(inbox));
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + done.get());
        System.exit(0);
    }
}
