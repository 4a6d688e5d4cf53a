// @lock RecordHold$Row
// @type LOCK reentrant=false
// @role lock RecordHold$Row.lockFor
// @role unlock RecordHold$Row.unlockFor

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store with row locks. A transaction asks for the rows it needs in the order of their keys, keeps them, and gives all
 * of them back when it commits.
 */
public final class RecordHold {
    static final class Row {
        final String key;
        private Transaction holder;
        long amount = 1000;

        Row(String key) {
            this.key = key;
        }

        private boolean isLocked() {
            return holder != null;
        }

        void lockFor(Transaction transaction) throws InterruptedException {
            synchronized (this) {
                while (isLocked()) {
                    wait();
                }
                holder = transaction;
            }
        }

        void unlockFor(Transaction transaction) {
            synchronized (this) {
                if (holder != transaction) {
                    throw new IllegalStateException(key + " is not held by " + transaction.id);
                }
                holder = null;
                notify();
            }
        }
    }

    static final class Transaction implements AutoCloseable {
        final long id;
        private final List<Row> locked = new ArrayList<>();

        Transaction(long id) {
            this.id = id;
        }

        void lock(Row row) throws InterruptedException {
            if (!locked.isEmpty() && locked.get(locked.size() - 1).key.compareTo(row.key) >= 0) {
                throw new IllegalArgumentException("out of order");
            }
            row.lockFor(this);
            locked.add(row);
        }

        @Override
        public void close() {
            for (int i = locked.size() - 1; i >= 0; i--) {
                locked.get(i).unlockFor(this);
            }
        }
    }

    private static final TreeMap<String, Row> table = new TreeMap<>();
    private static final AtomicLong transactions = new AtomicLong();
    private static volatile String failure;

    private static void transfer() throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String low = "R" + random.nextInt(3);
        String high = "R" + random.nextInt(3, 6);
        try (Transaction tx = new Transaction(transactions.incrementAndGet())) {
            Row from = table.get(low);
            Row to = table.get(high);
            tx.lock(from);
            tx.lock(to);
            long before = from.amount + to.amount;
            int amount = random.nextInt(-50, 51);
            from.amount -= amount;
            Thread.sleep(random.nextInt(1, 4));
            to.amount += amount;
            if (from.amount + to.amount != before) {
                failure = "money was lost in transaction " + tx.id;
            }
        }
        Thread.sleep(random.nextInt(3));
    }

    private static void audit() throws InterruptedException {
        long sum = 0;
        try (Transaction tx = new Transaction(-transactions.get())) {
            for (Row row : table.values()) {
                tx.lock(row);
                sum += row.amount;
            }
        }
        if (sum != 6000) {
            failure = "the rows add up to " + sum;
        }
        Thread.sleep(20);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            table.put("R" + i, new Row("R" + i));
        }
        for (int i = 0; i < 6; i++) {
            boolean auditor = i == 5;
            Thread session = new Thread(() -> {
                try {
                    for (;;) {
                        if (auditor) {
                            audit();
                        } else {
                            transfer();
                        }
                    }
                } catch (InterruptedException | RuntimeException e) {
                    failure = e.toString();
                }
            }, "session-" + i);
            session.setDaemon(true);
            session.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + transactions);
    }
}
