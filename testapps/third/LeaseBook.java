// @lock LeaseBook
// @type SEMAPHORE permits=3
// @role acquire LeaseBook.lease
// @role release LeaseBook.giveBack
//
// @lock java.lang.Object#record
// @type MUTEX
// @role enter LeaseBook.record
// @role enter LeaseBook.drain

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** At most three leases at any time, kept by holder in a map; every lease is also written into a journal with its own lock. */
public final class LeaseBook {
    private static final int LEASES = 3;

    private final Map<String, Long> holders = new HashMap<>();
    private final Object journalLock = new Object();
    private final List<String> journal = new ArrayList<>();
    private long journalled;

    public synchronized void lease(String who) throws InterruptedException {
        for (;;) {
            if (holders.size() < LEASES) {
                break;
            }
            wait();
        }
        holders.put(who, System.currentTimeMillis());
    }

    public synchronized void giveBack(String who) {
        if (holders.remove(who) == null) {
            throw new IllegalStateException(who + " has no lease");
        }
        notify();
    }

    void record(String line) throws InterruptedException {
        synchronized (journalLock) {
            journal.add(line);
            if (journal.size() % 4 == 0) {
                Thread.sleep(2);
            }
            journalled++;
        }
    }

    int drain() throws InterruptedException {
        synchronized (journalLock) {
            int n = journal.size();
            Thread.sleep(4);
            journal.clear();
            return n;
        }
    }

    private static volatile String failure;
    private static volatile boolean over;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LeaseBook book = new LeaseBook();
        AtomicInteger open = new AtomicInteger();
        AtomicLong total = new AtomicLong();
        AtomicLong drained = new AtomicLong();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            String name = "tenant-" + i;
            all.add(new Thread(() -> {
                try {
                    while (!over) {
                        book.lease(name);
                        try {
                            if (open.incrementAndGet() > LEASES) {
                                failure = "too many leases";
                            }
                            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                            open.decrementAndGet();
                        } finally {
                            book.giveBack(name);
                        }
                        book.record(name);
                        total.incrementAndGet();
                        Thread.sleep(1);
                    }
                } catch (InterruptedException e) {
                    failure = "interrupted";
                }
            }, name));
        }
        Thread clerk = new Thread(() -> {
            try {
                while (!over) {
                    drained.addAndGet(book.drain());
                    Thread.sleep(9);
                }
            } catch (InterruptedException e) {
                failure = "interrupted";
            }
        }, "clerk");
        all.add(clerk);
        for (Thread t : all) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        over = true;
        for (Thread t : all) {
            t.join(5_000);
        }
        drained.addAndGet(book.drain());
        if (failure != null || drained.get() != total.get() || book.journalled != total.get()) {
            throw new IllegalStateException("leases " + total + ", drained " + drained + ", " + failure);
        }
        System.out.println("DONE " + total);
    }
}
