// @lock TableModes$Table
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock TableModes$Table.lock
// @role write-lock TableModes$Table.lock
// @role read-unlock TableModes$Table.unlock
// @role write-unlock TableModes$Table.unlock

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Table locks of a database engine, shared or exclusive: the mode is an argument, requests are granted in their order. */
public final class TableModes {
    enum Mode {
        SHARED, EXCLUSIVE;

        boolean compatible(Map<Mode, Integer> granted) {
            return granted.get(EXCLUSIVE) == 0 && (this == SHARED || granted.get(SHARED) == 0);
        }
    }

    static final class Table {
        private final Map<Mode, Integer> granted = new EnumMap<>(Mode.class);
        private long nextTicket;
        private long serving;
        private final List<String> rows = new ArrayList<>();

        Table() {
            for (Mode mode : Mode.values()) {
                granted.put(mode, 0);
            }
        }

        void lock(Mode mode) throws InterruptedException {
            synchronized (this) {
                long ticket = nextTicket++;
                while (ticket != serving || !mode.compatible(granted)) {
                    wait();
                }
                serving++;
                granted.merge(mode, 1, Integer::sum);
                notifyAll(); // the next in line may be compatible
            }
        }

        void unlock(Mode mode) {
            synchronized (this) {
                if (granted.merge(mode, -1, Integer::sum) < 0) {
                    throw new IllegalStateException(mode + " was not held");
                }
                notifyAll();
            }
        }
    }

    private static final AtomicLong statements = new AtomicLong();
    private static volatile Throwable fault;

    private static void select(Table table) throws InterruptedException {
        table.lock(Mode.SHARED);
        try {
            int n = table.rows.size();
            Thread.sleep(1);
            if (n % 2 != 0 || table.rows.size() != n) {
                throw new IllegalStateException(n + " rows, then " + table.rows.size());
            }
        } finally {
            table.unlock(Mode.SHARED);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
    }

    private static void insertPair(Table table) throws InterruptedException {
        table.lock(Mode.EXCLUSIVE);
        try {
            if (table.rows.size() > 100) {
                table.rows.clear();
            }
            table.rows.add("debit");
            Thread.sleep(1);
            table.rows.add("credit");
        } finally {
            table.unlock(Mode.EXCLUSIVE);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Table[] tables = {new Table(), new Table()};
        for (int i = 0; i < 9; i++) {
            boolean writes = i % 3 == 0;
            Thread t = new Thread(() -> {
                try {
                    while (fault == null) {
                        Table table = tables[ThreadLocalRandom.current().nextInt(tables.length)];
                        if (writes) {
                            insertPair(table);
                        } else {
                            select(table);
                        }
                        statements.incrementAndGet();
                    }
                } catch (Throwable e) {
                    fault = e;
                }
            }, "session-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
        System.out.println("DONE " + statements);
    }
}
