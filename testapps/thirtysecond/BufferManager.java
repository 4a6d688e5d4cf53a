// @lock BufferManager$Page
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock BufferManager$Page.fixShared
// @role read-unlock BufferManager$Page.unfix
// @role write-lock BufferManager$Page.fixExclusive
// @role write-unlock BufferManager$Page.unfix

// @lock BufferManager$FreeList
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire BufferManager$FreeList.allocate
// @role release BufferManager$FreeList.free

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A database's buffer manager: pages fixed by many readers or one writer, frames for sorting lent from a list of three. */
public class BufferManager {
    static class Page {
        private static final int FREE = 0;
        private static final int EXCLUSIVE = Integer.MIN_VALUE;
        private int fix = FREE;
        final AtomicInteger writers = new AtomicInteger();
        final AtomicInteger readers = new AtomicInteger();

        void fixShared() throws InterruptedException {
            synchronized (this) {
                while (fix == EXCLUSIVE) {
                    wait();
                }
                ++fix;
            }
        }

        void fixExclusive() throws InterruptedException {
            synchronized (this) {
                while (fix != FREE) {
                    wait();
                }
                fix = EXCLUSIVE;
            }
        }

        void unfix() {
            synchronized (this) {
                switch (fix) {
                    case FREE:
                        throw new IllegalStateException("not fixed");
                    case EXCLUSIVE:
                        fix = FREE;
                        break;
                    default:
                        --fix;
                }
                if (fix == FREE) {
                    notifyAll();
                }
            }
        }
    }

    static class Frame {
        Frame next;
        final AtomicInteger users = new AtomicInteger();
    }

    static class FreeList {
        private Frame head;

        FreeList(int n) {
            for (int i = 0; i < n; i++) {
                Frame f = new Frame();
                f.next = head;
                head = f;
            }
        }

        synchronized Frame allocate() throws InterruptedException {
            while (head == null) {
                wait();
            }
            Frame f = head;
            head = f.next;
            f.next = null;
            return f;
        }

        synchronized void free(Frame f) {
            f.next = head;
            head = f;
            notify();
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Page[] pages = {new Page(), new Page()};
        FreeList frames = new FreeList(3);
        for (int i = 0; i < 6; i++) {
            loop("query-" + i, () -> {
                ThreadLocalRandom r = ThreadLocalRandom.current();
                Page p = pages[r.nextInt(2)];
                if (r.nextInt(4) == 0) {
                    p.fixExclusive();
                    check(p.writers.incrementAndGet() == 1 && p.readers.get() == 0, "dirty page");
                    pause(1, 4);
                    p.writers.decrementAndGet();
                    p.unfix();
                } else {
                    p.fixShared();
                    p.readers.incrementAndGet();
                    pause(1, 3);
                    p.readers.decrementAndGet();
                    p.unfix();
                    Frame f = frames.allocate();
                    check(f.users.incrementAndGet() == 1, "shared frame");
                    pause(1, 6);
                    f.users.decrementAndGet();
                    frames.free(f);
                }
            });
        }
        finish(args);
    }
}
