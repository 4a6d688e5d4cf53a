// The schema of a database, latched by static methods: queries share it, DDL excludes everybody and may nest (a view is altered while
// its table is), and may run queries of its own.
//
// @lock java.lang.Class#latchForQuery
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock SchemaLatch$Latch.latchForQuery
// @role read-unlock SchemaLatch$Latch.queryDone
// @role write-lock SchemaLatch$Latch.latchForChange
// @role write-unlock SchemaLatch$Latch.changeDone

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class SchemaLatch {
    static final AtomicLong statements = new AtomicLong();
    static volatile String broken;
    static volatile int tables = 5;
    static volatile int views = 5;

    static final class Latch {
        private static int queries;
        private static Thread changer;
        private static int nesting;

        private Latch() {
        }

        private static boolean mine() {
            return changer == Thread.currentThread();
        }

        static synchronized void latchForQuery() throws InterruptedException {
            while (changer != null && !mine()) {
                Latch.class.wait();
            }
            queries++;
        }

        static synchronized void queryDone() {
            if (--queries == 0) {
                Latch.class.notifyAll();
            }
        }

        static synchronized void latchForChange() throws InterruptedException {
            if (!mine()) {
                while (changer != null || queries > 0) {
                    Latch.class.wait();
                }
                changer = Thread.currentThread();
            }
            nesting++;
        }

        static synchronized void changeDone() {
            if (--nesting == 0) {
                changer = null;
                Latch.class.notifyAll();
            }
        }
    }

    static void query() throws InterruptedException {
        Latch.latchForQuery();
        try {
            int t = tables;
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(4));
            if (t != views || t != tables) {
                broken = "query saw half a change";
            }
        } finally {
            Latch.queryDone();
        }
    }

    static void alterView() throws InterruptedException {
        Latch.latchForChange();
        try {
            views++;
            Thread.sleep(1);
        } finally {
            Latch.changeDone();
        }
    }

    static void alterTable() throws InterruptedException {
        Latch.latchForChange();
        try {
            tables++;
            Thread.sleep(2);
            alterView();
            query();
        } finally {
            Latch.changeDone();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 5; i++) {
            final boolean ddl = i < 2;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        if (ddl) {
                            alterTable();
                            Thread.sleep(12);
                        } else {
                            query();
                            Thread.sleep(4 + ThreadLocalRandom.current().nextInt(8));
                        }
                        statements.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, (ddl ? "ddl-" : "query-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + statements.get());
        System.exit(broken != null ? 1 : 0);
    }
}
