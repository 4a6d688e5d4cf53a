// @lock BatchDesk$Batch
// @type PRODUCER-CONSUMER+LATCH capacity=4 count=12
// @role put BatchDesk$Batch.submit
// @role take BatchDesk$Batch.next
// @role count-down BatchDesk$Batch.itemDone
// @role await BatchDesk$Batch.awaitAll

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Batches of twelve items: a feeder hands them over through a short queue, a reporter waits until all of the batch are done. */
public final class BatchDesk {
    static final class Batch {
        static final int ITEMS = 12;
        private final LinkedList<Integer> queue = new LinkedList<>();
        private int toTake = ITEMS;
        private int toDo = ITEMS;
        final AtomicInteger sum = new AtomicInteger();

        synchronized void submit(int item) throws InterruptedException {
            while (queue.size() >= 4) {
                wait();
            }
            queue.add(item);
            notifyAll();
        }

        /** The next item, or null when all of the batch have been taken. */
        synchronized Integer next() throws InterruptedException {
            while (queue.isEmpty()) {
                if (toTake == 0) {
                    return null;
                }
                wait();
            }
            toTake--;
            notifyAll();
            return queue.removeFirst();
        }

        synchronized void itemDone() {
            if (--toDo == 0) {
                notifyAll();
            }
        }

        synchronized void awaitAll() throws InterruptedException {
            while (toDo > 0) {
                wait();
            }
        }
    }

    private static final int WORKERS = 3;
    private final List<LinkedBlockingQueue<Batch>> inboxes = new ArrayList<>();
    private final LinkedBlockingQueue<Batch> toReport = new LinkedBlockingQueue<>();
    private final AtomicLong reported = new AtomicLong();
    private final AtomicLong fed = new AtomicLong();
    private volatile boolean stop;
    private volatile boolean wrong;

    private void feed() throws InterruptedException {
        while (!stop) {
            Batch b = new Batch();
            for (LinkedBlockingQueue<Batch> inbox : inboxes) {
                inbox.put(b);
            }
            toReport.put(b);
            for (int i = 1; i <= Batch.ITEMS; i++) {
                b.submit(i);
                if (i % 6 == 0) {
                    Thread.sleep(6);
                }
            }
            fed.incrementAndGet();
        }
    }

    private void work(LinkedBlockingQueue<Batch> inbox) throws InterruptedException {
        while (true) {
            Batch b = inbox.take();
            Integer item;
            while ((item = b.next()) != null) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
                b.sum.addAndGet(item);
                b.itemDone();
            }
        }
    }

    private void report() throws InterruptedException {
        while (true) {
            Batch b = toReport.take();
            b.awaitAll();
            wrong |= b.sum.get() != 78;
            reported.incrementAndGet();
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static Thread start(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        BatchDesk desk = new BatchDesk();
        for (int i = 0; i < WORKERS; i++) {
            LinkedBlockingQueue<Batch> inbox = new LinkedBlockingQueue<>();
            desk.inboxes.add(inbox);
            start("worker-" + i, () -> desk.work(inbox));
        }
        start("reporter", desk::report);
        Thread feeder = start("feeder", desk::feed);
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        desk.stop = true;
        feeder.join(5_000);
        long deadline = System.currentTimeMillis() + 5_000;
        while (desk.reported.get() < desk.fed.get() && System.currentTimeMillis() < deadline) {
            Thread.sleep(5);
        }
        if (desk.wrong || desk.reported.get() != desk.fed.get()) {
            throw new IllegalStateException("a batch was reported too early, or never");
        }
        System.out.println("DONE " + desk.reported);
    }
}
