// @lock java.lang.Object#pause
// @type DELAY
// @role delay LeaseRenewer$Util.pause

import java.util.Hashtable;
import java.util.concurrent.atomic.AtomicLong;

/** Nodes of a cluster renew their leases before they run out; between renewals they pause on an object made for the occasion. */
public class LeaseRenewer extends Thread {
    static class Util {
        private Util() {
        }

        static void pause(long millis) {
            Object o = new Object();
            synchronized (o) {
                try {
                    o.wait(millis);
                } catch (InterruptedException e) {
                    // pauses are short: the caller looks at its stop flag next
                }
            }
        }
    }

    static final Hashtable<String, Long> leases = new Hashtable<String, Long>();
    static final AtomicLong renewals = new AtomicLong();
    static volatile boolean stop;
    static volatile String error;

    private final String node;
    private final long period;

    LeaseRenewer(String node, long period) {
        super("renewer-" + node);
        this.node = node;
        this.period = period;
    }

    public void run() {
        long count = 0;
        while (!stop) {
            leases.put(node, Long.valueOf(++count));
            renewals.incrementAndGet();
            Util.pause(period);
            if (!leases.get(node).equals(Long.valueOf(count))) {
                error = "somebody else renewed the lease of " + node;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long begin = System.nanoTime();
        LeaseRenewer[] renewers = new LeaseRenewer[6];
        for (int i = 0; i < renewers.length; i++) {
            renewers[i] = new LeaseRenewer("node" + i, 3 + i);
            renewers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (LeaseRenewer r : renewers) {
            r.join();
            if (leases.get(r.node) > (System.nanoTime() - begin) / 900000 / r.period + 2) {
                error = r.node + " renewed its lease too often";
            }
        }
        if (error != null) {
            throw new IllegalStateException(error);
        }
        System.out.println("DONE " + renewals);
    }
}
