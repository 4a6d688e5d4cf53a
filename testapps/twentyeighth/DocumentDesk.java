// @lock DocumentDesk$BoundedBuffer
// @type READ-WRITE preference=readers
// @role read-lock DocumentDesk$BoundedBuffer.take
// @role read-unlock DocumentDesk$BoundedBuffer.giveBack
// @role write-lock DocumentDesk$BoundedBuffer.put
// @role write-unlock DocumentDesk$BoundedBuffer.finished
// @lock DocumentDesk$CyclicBarrier
// @type LATCH count=3
// @role count-down DocumentDesk$CyclicBarrier.signed
// @role await DocumentDesk$CyclicBarrier.await
// @lock DocumentDesk$Notifier
// @type DELAY
// @role delay DocumentDesk$Notifier.remind

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Customs papers: one file that many look into and few amend; three signatures release a consignment. */
public final class DocumentDesk {
    /** The file with the papers. Taken for reading by any number, for putting something in by one. */
    static final class BoundedBuffer {
        private final Set<Thread> takers = new HashSet<>();
        private Thread putter;

        synchronized void take() throws InterruptedException {
            while (putter != null) {
                wait();
            }
            if (!takers.add(Thread.currentThread())) {
                throw new IllegalStateException("taken twice");
            }
        }

        synchronized void giveBack() {
            if (!takers.remove(Thread.currentThread())) {
                throw new IllegalStateException("not taken");
            }
            notifyAll();
        }

        synchronized void put() throws InterruptedException {
            while (putter != null || !takers.isEmpty()) {
                wait();
            }
            putter = Thread.currentThread();
        }

        synchronized void finished() {
            if (putter != Thread.currentThread()) {
                throw new IllegalStateException("not putting");
            }
            putter = null;
            notifyAll();
        }
    }

    /** The signatures under one consignment; when all three are there it is released for good. */
    static final class CyclicBarrier {
        private final boolean[] signatures = new boolean[3];
        private int blank = 3;
        private final AtomicReference<CyclicBarrier> next = new AtomicReference<>();

        synchronized void signed(int office) {
            if (signatures[office]) {
                throw new IllegalStateException("signed twice");
            }
            signatures[office] = true;
            blank--;
            if (blank == 0) {
                notifyAll();
            }
        }

        synchronized boolean await() throws InterruptedException {
            while (blank > 0) {
                wait();
            }
            return signatures[0] && signatures[1] && signatures[2];
        }

        CyclicBarrier next() {
            next.compareAndSet(null, new CyclicBarrier());
            return next.get();
        }
    }

    static final class Notifier {
        /** Gives the addressee time. */
        void remind(long millis) throws InterruptedException {
            long until = System.nanoTime() + millis * 1_000_000;
            synchronized (this) {
                long left;
                while ((left = until - System.nanoTime()) > 0) {
                    wait(left / 1_000_000, (int) (left % 1_000_000));
                }
            }
        }
    }

    private final BoundedBuffer file = new BoundedBuffer();
    private final int[] papers = new int[4];
    private final AtomicLong done = new AtomicLong();
    private volatile Exception error;

    private void look() throws InterruptedException {
        file.take();
        int first = papers[0];
        Thread.sleep(2);
        for (int p : papers) {
            if (p != first) {
                throw new IllegalStateException("papers " + p + " and " + first);
            }
        }
        file.giveBack();
    }

    private void amend() throws InterruptedException {
        file.put();
        for (int i = 0; i < papers.length; i++) {
            papers[i]++;
            if (i == 1) {
                Thread.sleep(2);
            }
        }
        file.finished();
    }

    private static int random(int from, int to) {
        return ThreadLocalRandom.current().nextInt(from, to);
    }

    private interface Job {
        void run() throws InterruptedException;
    }

    private void start(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    done.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                error = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        DocumentDesk desk = new DocumentDesk();
        for (int i = 0; i < 3; i++) {
            desk.start("clerk-" + i, () -> {
                desk.look();
                Thread.sleep(random(5, 12));
            });
        }
        for (int i = 0; i < 2; i++) {
            Notifier n = new Notifier();
            desk.start("officer-" + i, () -> {
                desk.amend();
                n.remind(random(4, 12));
            });
        }
        CyclicBarrier first = new CyclicBarrier();
        for (int i = 0; i < 3; i++) {
            int office = i;
            CyclicBarrier[] at = {first};
            desk.start("office-" + i, () -> {
                Thread.sleep(random(2, 10));
                at[0].signed(office);
                at[0].await();
                at[0] = at[0].next();
            });
        }
        for (int i = 0; i < 2; i++) {
            CyclicBarrier[] at = {first};
            desk.start("lorry-" + i, () -> {
                if (!at[0].await()) {
                    throw new IllegalStateException("left without signatures");
                }
                at[0] = at[0].next();
            });
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (desk.error != null) {
            desk.error.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + desk.done);
    }
}
