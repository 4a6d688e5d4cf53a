// @lock java.lang.Object#index
// @type NOT-SHARED
// @quiet

import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Scanners hand invoices over through a lock-free queue; the index behind it is locked with care and used by one thread. */
public final class InvoiceIndex {
    private final Object lock = new Object();
    private final TreeMap<Long, ArrayDeque<Integer>> byAmount = new TreeMap<>();
    private int entries;

    void index(int id, long amount) {
        synchronized (lock) {
            ArrayDeque<Integer> ids = byAmount.get(amount);
            if (ids == null) {
                ids = new ArrayDeque<>();
                byAmount.put(amount, ids);
            }
            ids.addLast(id);
            entries++;
            trim();
        }
    }

    private void trim() {
        synchronized (lock) {
            while (entries > 1000) {
                ArrayDeque<Integer> oldest = byAmount.firstEntry().getValue();
                oldest.removeFirst();
                if (oldest.isEmpty()) {
                    byAmount.pollFirstEntry();
                }
                entries--;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ConcurrentLinkedQueue<Integer> inbox = new ConcurrentLinkedQueue<>();
        AtomicLong scanned = new AtomicLong();
        AtomicLong indexed = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            daemon("scanner-" + i, () -> {
                inbox.add((int) scanned.incrementAndGet());
                nap(3);
            });
        }
        InvoiceIndex index = new InvoiceIndex();
        daemon("indexer", () -> {
            Integer id;
            while ((id = inbox.poll()) != null) {
                index.index(id, id % 97);
                indexed.incrementAndGet();
            }
            nap(2);
        });
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (indexed.get() > scanned.get() || indexed.get() == 0) {
            throw new IllegalStateException(indexed + " indexed of " + scanned);
        }
        System.out.println("DONE " + indexed);
    }

    private static void daemon(String name, Runnable step) {
        Thread t = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                step.run();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void nap(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
