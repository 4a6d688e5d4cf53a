// @lock RouteCache$TableLock
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock RouteCache$TableLock.beginRead
// @role read-unlock RouteCache$TableLock.endRead
// @role write-lock RouteCache$TableLock.beginWrite
// @role write-unlock RouteCache$TableLock.endWrite
//
// @lock RouteCache$Pending
// @type LATCH count=1 form=future
// @role count-down RouteCache$Pending.resolve
// @role await RouteCache$Pending.get

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A cache of routes. Who misses first resolves; all others that miss the same name wait for his answer. */
public class RouteCache {

    static final class TableLock {
        private int readers;
        private int wantWrite;
        private boolean writing;

        synchronized void beginRead() throws InterruptedException {
            while (writing || wantWrite > 0) {
                wait();
            }
            readers++;
        }

        synchronized void endRead() {
            if (--readers == 0) {
                notifyAll();
            }
        }

        synchronized void beginWrite() throws InterruptedException {
            wantWrite++;
            try {
                while (writing || readers > 0) {
                    wait();
                }
                writing = true;
            } finally {
                wantWrite--;
                if (!writing) {
                    notifyAll();
                }
            }
        }

        synchronized void endWrite() {
            writing = false;
            notifyAll();
        }
    }

    static final class Pending {
        private String address;

        synchronized void resolve(String a) {
            if (address == null) {
                address = a;
                notifyAll();
            }
        }

        synchronized String get() throws InterruptedException {
            while (address == null) {
                wait();
            }
            return address;
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final TableLock LOCK = new TableLock();
    static final Map<String, Pending> TABLE = new HashMap<String, Pending>();
    static volatile boolean editing;

    static String lookup(String name) throws InterruptedException {
        Pending p;
        LOCK.beginRead();
        try {
            if (editing) {
                fault = "read while the table is edited";
            }
            p = TABLE.get(name);
            Thread.sleep(1);
        } finally {
            LOCK.endRead();
        }
        boolean mine = false;
        if (p == null) {
            LOCK.beginWrite();
            try {
                p = TABLE.get(name);
                if (p == null) {
                    p = new Pending();
                    TABLE.put(name, p);
                    mine = true;
                }
            } finally {
                LOCK.endWrite();
            }
        }
        if (mine) {
            Thread.sleep(5);
            p.resolve("10.0.0." + name);
        }
        return p.get();
    }

    static void expire() throws InterruptedException {
        LOCK.beginWrite();
        try {
            editing = true;
            TABLE.clear();
            Thread.sleep(1);
            editing = false;
        } finally {
            LOCK.endWrite();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            final boolean janitor = i == 0;
            Thread t = new Thread(janitor ? "janitor" : "gateway-" + i) {
                @Override public void run() {
                    try {
                        while (true) {
                            if (janitor) {
                                expire();
                                Thread.sleep(9);
                                continue;
                            }
                            String name = String.valueOf(ThreadLocalRandom.current().nextInt(2));
                            if (!lookup(name).endsWith("." + name)) {
                                fault = "wrong route for " + name;
                            }
                            OPS.incrementAndGet();
                            Thread.sleep(2);
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
