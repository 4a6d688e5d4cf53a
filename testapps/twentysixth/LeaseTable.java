// @lock LeaseTable$Lease
// @type LOCK reentrant=true
// @role lock LeaseTable$Lease.take
// @role lock LeaseTable$Lease.tryTake
// @role unlock LeaseTable$Lease.drop
//
// @lock LeaseTable$Census
// @type MUTEX
// @role enter LeaseTable$Census.note
// @role enter LeaseTable$Census.sum
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Leases on named resources as a lock manager hands them out: the holder may take the same lease again. */
public class LeaseTable {

    abstract static class Resource {
        private long contents;

        long read() {
            return contents;
        }

        void write(long v) {
            contents = v;
        }
    }

    static final class Lease extends Resource {
        private final Object door = this;
        private Thread holder;
        private int depth;

        private boolean mine() {
            return holder == Thread.currentThread();
        }

        void take() throws InterruptedException {
            synchronized (door) {
                if (mine()) {
                    depth++;
                    return;
                }
                while (holder != null) {
                    door.wait();
                }
                holder = Thread.currentThread();
                depth = 1;
            }
        }

        boolean tryTake(long millis) throws InterruptedException {
            synchronized (door) {
                if (mine()) {
                    depth++;
                    return true;
                }
                long end = System.currentTimeMillis() + millis;
                while (holder != null) {
                    long left = end - System.currentTimeMillis();
                    if (left <= 0) {
                        return false;
                    }
                    door.wait(left);
                }
                holder = Thread.currentThread();
                depth = 1;
                return true;
            }
        }

        void drop() {
            synchronized (door) {
                if (!mine()) {
                    throw new IllegalMonitorStateException("not the holder");
                }
                if (--depth == 0) {
                    holder = null;
                    door.notify();
                }
            }
        }
    }

    static final class Census {
        private final int[] perLease = new int[3];
        private int all;

        synchronized void note(int i) {
            perLease[i]++;
            all++;
        }

        synchronized int sum() {
            int s = 0;
            for (int n : perLease) {
                s += n;
            }
            return s == all ? s : -1;
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final Lease[] LEASES = {new Lease(), new Lease()};
    static final Census CENSUS = new Census();

    static void renew(Lease l) throws InterruptedException {
        l.take();
        try {
            l.write(l.read() + 1);
        } finally {
            l.drop();
        }
    }

    static void client(int id) throws InterruptedException {
        while (true) {
            int i = ThreadLocalRandom.current().nextInt(LEASES.length);
            Lease l = LEASES[i];
            if (id % 2 == 0) {
                l.take();
            } else if (!l.tryTake(60)) {
                continue;
            }
            try {
                long before = l.read();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                renew(l);
                if (l.read() != before + 1) {
                    fault = "lease " + i + " was changed by somebody else";
                }
            } finally {
                l.drop();
            }
            CENSUS.note(i);
            OPS.incrementAndGet();
            Thread.sleep(2);
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            final int id = i;
            Thread t = new Thread("client-" + i) {
                @Override public void run() {
                    try {
                        client(id);
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
            Thread.sleep(100);
            if (CENSUS.sum() < 0) {
                fault = "census does not add up";
            }
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
