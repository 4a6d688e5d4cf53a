// @lock PostingJournal
// @type CONDITION+MUTEX
// @role wait PostingJournal.awaitApplied
// @role notify PostingJournal.apply
// @role enter PostingJournal.noteUser
// @role enter PostingJournal.userStatistics

// @lock PostingJournal$Applier#breathe
// @type DELAY
// @role delay PostingJournal$Applier.breathe

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Postings are written down at once and applied to the accounts later. Who posts may wait until his own posting has been applied;
 * a table of users that has nothing to do with it lives under the same monitor, because it was there.
 */
public class PostingJournal {
    private long appliedUpTo;
    private final Map<String, Integer> users = new HashMap<>();
    private int allUses;

    public void awaitApplied(long position) throws InterruptedException {
        synchronized (this) {
            while (appliedUpTo < position) {
                wait();
            }
        }
    }

    public void apply(long position) {
        synchronized (this) {
            if (position <= appliedUpTo) {
                throw new IllegalStateException("position " + position + " after " + appliedUpTo);
            }
            appliedUpTo = position;
            notifyAll();
        }
    }

    public synchronized void noteUser(String name) throws InterruptedException {
        users.merge(name, 1, Integer::sum);
        Thread.sleep(1);
        allUses++;
    }

    public synchronized List<String> userStatistics() {
        List<String> result = new ArrayList<>();
        int sum = 0;
        for (Map.Entry<String, Integer> e : users.entrySet()) {
            result.add(e.getKey() + ": " + e.getValue());
            sum += e.getValue();
        }
        if (sum != allUses) {
            throw new IllegalStateException("uses counted: " + allUses + ", found: " + sum);
        }
        return result;
    }

    static class Posting {
        final long position;
        final int amount;

        Posting(long position, int amount) {
            this.position = position;
            this.amount = amount;
        }
    }

    static class Applier extends Thread {
        private final PostingJournal journal;
        private final ConcurrentLinkedQueue<Posting> open;
        private final AtomicLong balance;

        Applier(PostingJournal journal, ConcurrentLinkedQueue<Posting> open, AtomicLong balance) {
            super("applier");
            this.journal = journal;
            this.open = open;
            this.balance = balance;
            setDaemon(true);
        }

        private void breathe(long millis) throws InterruptedException {
            synchronized (this) {
                long until = System.nanoTime() + millis * 1000000;
                for (long left = millis; left > 0; left = (until - System.nanoTime()) / 1000000) {
                    wait(left);
                }
            }
        }

        @Override
        public void run() {
            try {
                while (true) {
                    long last = 0;
                    for (Posting p; (p = open.poll()) != null;) {
                        balance.addAndGet(p.amount);
                        last = p.position;
                    }
                    if (last > 0) {
                        journal.apply(last);
                    }
                    breathe(6);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private static volatile Throwable failure;

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            e.printStackTrace();
            failure = e;
        });
        PostingJournal journal = new PostingJournal();
        ConcurrentLinkedQueue<Posting> open = new ConcurrentLinkedQueue<>();
        AtomicLong balance = new AtomicLong();
        AtomicLong position = new AtomicLong();
        AtomicLong confirmed = new AtomicLong();
        // positions must enter the queue in order: a single recorder, three who wait for what it has recorded
        Thread recorder = new Thread(() -> {
            Random random = new Random();
            try {
                while (true) {
                    long next = position.get() + 1;
                    open.add(new Posting(next, 7));
                    position.set(next);
                    Thread.sleep(1 + random.nextInt(3));
                    if (next % 8 == 0) {
                        journal.userStatistics();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "recorder");
        recorder.setDaemon(true);
        recorder.start();
        for (int i = 0; i < 4; i++) {
            String name = "user-" + i;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        long mine = position.get();
                        journal.awaitApplied(mine);
                        if (balance.get() < mine * 7) {
                            throw new IllegalStateException("confirmed before it was applied");
                        }
                        confirmed.incrementAndGet();
                        journal.noteUser(name);
                        Thread.sleep(2);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, name);
            t.setDaemon(true);
            t.start();
        }
        new Applier(journal, open, balance).start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        journal.userStatistics();
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + confirmed);
    }
}
