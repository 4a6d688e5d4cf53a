// The page layer of an embedded database: pages latched for reading or writing, a page writer that waits is preferred;
// whoever checks a page copies it into one of three frames taken from a pool.
//
// @lock PageStore$Page
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock PageStore$Page.shared
// @role write-lock PageStore$Page.exclusive
// @role read-unlock PageStore$Page.unlatch
// @role write-unlock PageStore$Page.unlatch
//
// @lock java.lang.Object#borrow
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire PageStore$Frames.borrow
// @role release PageStore$Frames.giveBack

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class PageStore {
    static final int SIZE = 64;
    static volatile String broken;
    static final AtomicLong checked = new AtomicLong(), written = new AtomicLong();

    static final class Page {
        final byte[] data = new byte[SIZE];
        private int state; // -1: being written; otherwise the number of readers
        private int writersWaiting;

        synchronized void shared() throws InterruptedException {
            while (state < 0 || writersWaiting > 0)
                wait();
            state++;
        }

        synchronized void exclusive() throws InterruptedException {
            writersWaiting++;
            try {
                while (state != 0)
                    wait();
                state = -1;
            } finally {
                if (--writersWaiting == 0 && state >= 0)
                    notifyAll(); // interrupted: readers may have stood behind us
            }
        }

        synchronized void unlatch() {
            if (state == 0)
                throw new IllegalStateException("page is not latched");
            if (state < 0)
                state = 0;
            else
                state--;
            if (state == 0)
                notifyAll();
        }
    }

    static final class Frames {
        private final Object lock = new Object();
        private final ArrayDeque<byte[]> free = new ArrayDeque<>();

        Frames(int n) {
            while (n-- > 0)
                free.push(new byte[SIZE]);
        }

        byte[] borrow() throws InterruptedException {
            synchronized (lock) {
                while (free.isEmpty())
                    lock.wait();
                return free.pop();
            }
        }

        void giveBack(byte[] frame) {
            synchronized (lock) {
                free.push(frame);
                lock.notify();
            }
        }
    }

    private final Page[] pages = {new Page(), new Page()};
    private final Frames frames = new Frames(3);

    void checker() throws InterruptedException {
        for (;;) {
            byte[] frame = frames.borrow();
            Page page = pages[ThreadLocalRandom.current().nextInt(pages.length)];
            page.shared();
            System.arraycopy(page.data, 0, frame, 0, SIZE);
            Thread.sleep(1);
            page.unlatch();
            for (byte b : frame)
                if (b != frame[0])
                    broken = "torn page";
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(3));
            frames.giveBack(frame);
            checked.incrementAndGet();
            Thread.sleep(1);
        }
    }

    void writer() throws InterruptedException {
        for (byte v = 0;; v++) {
            Page page = pages[ThreadLocalRandom.current().nextInt(pages.length)];
            page.exclusive();
            for (int i = 0; i < SIZE; i++) {
                page.data[i] = v;
                if (i == SIZE / 2)
                    Thread.sleep(2);
            }
            page.unlatch();
            written.incrementAndGet();
            Thread.sleep(4 + ThreadLocalRandom.current().nextInt(6));
        }
    }

    private void spawn(final boolean writes, int n) {
        Thread t = new Thread((writes ? "writer-" : "checker-") + n) {
            @Override
            public void run() {
                try {
                    if (writes)
                        writer();
                    else
                        checker();
                } catch (InterruptedException | RuntimeException e) {
                    broken = getName() + ": " + e;
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        PageStore store = new PageStore();
        for (int i = 0; i < 5; i++)
            store.spawn(false, i);
        for (int i = 0; i < 2; i++)
            store.spawn(true, i);
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (broken == null && System.nanoTime() < end)
            Thread.sleep(25);
        if (broken == null && (checked.get() == 0 || written.get() == 0))
            broken = "no progress";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + (checked.get() + written.get()));
    }
}
