// @lock SchemaGuard$Guard
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock SchemaGuard$Guard.share
// @role read-unlock SchemaGuard$Guard.leave
// @role write-lock SchemaGuard$Guard.exclude
// @role write-unlock SchemaGuard$Guard.leave
//
// @lock SchemaGuard$Formatter
// @type NOT-SHARED
// @quiet

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A replicated schema: validated by many (recursively), migrated by few; one way out of the guard for both. */
public class SchemaGuard {

    static final class Guard {
        private final Map<Thread, Integer> sharing = new HashMap<Thread, Integer>();
        private Thread owner;
        private int holds;

        synchronized void share() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (owner != null && owner != me) {
                wait();
            }
            if (owner == me) {
                holds++;
                return;
            }
            Integer n = sharing.get(me);
            sharing.put(me, n == null ? 1 : n + 1);
        }

        synchronized void exclude() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (owner == me) {
                holds++;
                return;
            }
            if (sharing.containsKey(me)) {
                throw new IllegalStateException("no upgrade");
            }
            while (owner != null || !sharing.isEmpty()) {
                wait();
            }
            owner = me;
            holds = 1;
        }

        synchronized void leave() {
            Thread me = Thread.currentThread();
            if (owner == me) {
                if (--holds == 0) {
                    owner = null;
                    notifyAll();
                }
                return;
            }
            Integer n = sharing.get(me);
            if (n == null) {
                throw new IllegalStateException("not inside");
            }
            if (n > 1) {
                sharing.put(me, n - 1);
            } else {
                sharing.remove(me);
                if (sharing.isEmpty()) {
                    notifyAll();
                }
            }
        }
    }

    /** Every validator has one for himself. */
    static final class Formatter {
        private final StringBuilder text = new StringBuilder();

        synchronized int format(int version) {
            text.setLength(0);
            text.append("v").append(version);
            return text.length();
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final Guard GUARD = new Guard();
    static int tables;
    static int indexes;

    static int depth(int level) throws InterruptedException {
        GUARD.share();
        try {
            if (tables != indexes) {
                fault = tables + " tables, " + indexes + " indexes";
            }
            if (level > 0) {
                return depth(level - 1) + 1;
            }
            Thread.sleep(2);
            return 0;
        } finally {
            GUARD.leave();
        }
    }

    static void addIndex() throws InterruptedException {
        GUARD.exclude();
        try {
            indexes++;
        } finally {
            GUARD.leave();
        }
    }

    static void migrate() throws InterruptedException {
        GUARD.exclude();
        try {
            tables++;
            Thread.sleep(2);
            addIndex();
        } finally {
            GUARD.leave();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            final boolean migrates = i < 2;
            Thread t = new Thread((migrates ? "migration-" : "validator-") + i) {
                @Override public void run() {
                    Formatter f = new Formatter();
                    try {
                        while (true) {
                            if (migrates) {
                                migrate();
                                Thread.sleep(5);
                            } else {
                                if (f.format(depth(2)) != 2) {
                                    fault = "wrong depth";
                                }
                                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 9));
                            }
                            OPS.incrementAndGet();
                        }
                    } catch (InterruptedException e) {
                        fault = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(50);
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
