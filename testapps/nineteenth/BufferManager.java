// A buffer manager: three frames, each latched shared by scans and exclusively by updates; which page is in which frame is in a
// directory of its own, locked while a page is looked up or (slowly) replaced.
//
// @lock BufferManager$Frame
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock BufferManager$Frame.latchShared
// @role write-lock BufferManager$Frame.latchExclusive
// @role read-unlock BufferManager$Frame.unlatch
// @role write-unlock BufferManager$Frame.unlatch
//
// @lock java.lang.Object#lookup
// @type MUTEX
// @role enter BufferManager$Directory.lookup
// @role enter BufferManager$Directory.exchange

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class BufferManager {
    static final AtomicLong touched = new AtomicLong();
    static volatile String broken;

    enum Mode { FREE, SHARED, EXCLUSIVE }

    static final class Frame {
        private Mode mode = Mode.FREE;
        private int pins;
        volatile int left;
        volatile int right;

        synchronized void latchShared() throws InterruptedException {
            while (mode == Mode.EXCLUSIVE) {
                wait();
            }
            mode = Mode.SHARED;
            pins++;
        }

        synchronized void latchExclusive() throws InterruptedException {
            while (mode != Mode.FREE) {
                wait();
            }
            mode = Mode.EXCLUSIVE;
        }

        synchronized void unlatch() {
            if (mode == Mode.EXCLUSIVE || --pins == 0) {
                mode = Mode.FREE;
                notifyAll();
            }
        }
    }

    static final class Directory {
        private final Object mapping = new Object();
        private final int[] pageOf = {0, 1, 2};
        private final Frame[] frames;

        Directory(Frame[] frames) {
            this.frames = frames;
        }

        Frame lookup(int page) throws InterruptedException {
            synchronized (mapping) {
                for (int i = 0; i < pageOf.length; i++) {
                    if (pageOf[i] == page) {
                        return frames[i];
                    }
                }
                int victim = ThreadLocalRandom.current().nextInt(pageOf.length);
                Thread.sleep(1); // read it from disk
                pageOf[victim] = page;
                return frames[victim];
            }
        }

        void exchange() throws InterruptedException {
            synchronized (mapping) {
                int i = ThreadLocalRandom.current().nextInt(2);
                int p = pageOf[i];
                pageOf[i] = pageOf[i + 1];
                Thread.sleep(1);
                pageOf[i + 1] = p;
                if (pageOf[0] == pageOf[1] || pageOf[1] == pageOf[2] || pageOf[0] == pageOf[2]) {
                    broken = "a page in two frames";
                }
            }
        }
    }

    static void scan(Directory d) throws InterruptedException {
        Frame f = d.lookup(ThreadLocalRandom.current().nextInt(6));
        f.latchShared();
        try {
            int l = f.left;
            Thread.sleep(2 + ThreadLocalRandom.current().nextInt(4));
            if (l != f.right) {
                broken = "torn page";
            }
        } finally {
            f.unlatch();
        }
    }

    static void update(Directory d) throws InterruptedException {
        Frame f = d.lookup(ThreadLocalRandom.current().nextInt(6));
        f.latchExclusive();
        try {
            f.left++;
            Thread.sleep(4);
            f.right++;
        } finally {
            f.unlatch();
        }
        Thread.sleep(3);
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Directory directory = new Directory(new Frame[] {new Frame(), new Frame(), new Frame()});
        for (int i = 0; i < 9; i++) {
            final int role = i;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        if (role < 5) {
                            scan(directory);
                            Thread.sleep(2);
                        } else if (role < 8) {
                            update(directory);
                        } else {
                            directory.exchange();
                            Thread.sleep(5);
                        }
                        touched.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, (role < 5 ? "scan-" : role < 8 ? "update-" : "evict-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + touched.get());
        System.exit(broken != null ? 1 : 0);
    }
}
