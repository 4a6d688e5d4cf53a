// @lock RouteTable$Access
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock RouteTable$Access.startLookup
// @role read-unlock RouteTable$Access.endLookup
// @role write-lock RouteTable$Access.startUpdate
// @role write-unlock RouteTable$Access.endUpdate

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A routing table: lookups share, updates exclude, and an update that waits keeps new lookups out. */
public final class RouteTable {
    static final class Access {
        private int lookups;
        private boolean updating;
        private int updatesWaiting;

        synchronized void startLookup() throws InterruptedException {
            while (updating || updatesWaiting > 0) {
                wait();
            }
            lookups++;
        }

        synchronized void endLookup() {
            lookups--;
            if (lookups == 0) {
                notifyAll();
            }
        }

        synchronized void startUpdate() throws InterruptedException {
            updatesWaiting++;
            try {
                while (updating || lookups > 0) {
                    wait();
                }
            } finally {
                updatesWaiting--;
            }
            updating = true;
        }

        synchronized void endUpdate() {
            updating = false;
            notifyAll();
        }
    }

    private final Access access = new Access();
    private final int[] hops = new int[256];
    private final AtomicLong lookups = new AtomicLong();
    private volatile boolean broken;

    private void forward() throws InterruptedException {
        access.startLookup();
        try {
            int n = hops[ThreadLocalRandom.current().nextInt(256)];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            if (hops[ThreadLocalRandom.current().nextInt(256)] != n) {
                broken = true;
            }
        } finally {
            access.endLookup();
        }
        lookups.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    private void announce() throws InterruptedException {
        access.startUpdate();
        try {
            int n = hops[0] + 1;
            for (int i = 0; i < hops.length; i++) {
                hops[i] = n;
                if (i == 100) {
                    Thread.sleep(1);
                }
            }
        } finally {
            access.endUpdate();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
    }

    private void run(String name, boolean update) {
        Thread t = new Thread(() -> {
            try {
                while (!broken) {
                    if (update) {
                        announce();
                    } else {
                        forward();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RouteTable table = new RouteTable();
        for (int i = 0; i < 4; i++) {
            table.run("forward-" + i, false);
        }
        table.run("bgp", true);
        table.run("ospf", true);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (table.broken) {
            throw new IllegalStateException("a lookup saw half an update");
        }
        System.out.println("DONE " + table.lookups);
    }
}
