// @lock BusArbiter$PciBus
// @type LOCK reentrant=true
// @role lock BusArbiter$Arbiter.request
// @role unlock BusArbiter$Arbiter.relinquish

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bus masters in a simulated machine. The arbiter's general part waits, with a limit; what is granted to whom, and that a master
 * may ask again while it has the bus, is the business of the concrete bus.
 */
public final class BusArbiter {

    abstract static class Arbiter {
        protected abstract boolean mayGrant(Thread master);

        protected abstract void granted(Thread master);

        /** Returns whether the bus is free afterwards. */
        protected abstract boolean returned(Thread master);

        public final boolean request(long timeout) throws InterruptedException {
            Thread master = Thread.currentThread();
            synchronized (this) {
                if (!mayGrant(master)) {
                    long limit = System.nanoTime() + timeout * 1_000_000;
                    do {
                        long left = limit - System.nanoTime();
                        if (left <= 0) {
                            return false;
                        }
                        wait(left / 1_000_000 + 1);
                    } while (!mayGrant(master));
                }
                granted(master);
                return true;
            }
        }

        public final synchronized void relinquish() {
            if (returned(Thread.currentThread())) {
                notify();
            }
        }
    }

    static final class PciBus extends Arbiter {
        /** At most one entry: the master and how often it has been granted the bus. */
        private final Map<Thread, Integer> grants = new IdentityHashMap<>();

        @Override
        protected boolean mayGrant(Thread master) {
            return grants.isEmpty() || grants.containsKey(master);
        }

        @Override
        protected void granted(Thread master) {
            grants.merge(master, 1, Integer::sum);
        }

        @Override
        protected boolean returned(Thread master) {
            Integer depth = grants.get(master);
            if (depth == null) {
                throw new IllegalMonitorStateException(master.getName() + " does not have the bus");
            }
            if (depth == 1) {
                grants.remove(master);
                return true;
            }
            grants.put(master, depth - 1);
            return false;
        }
    }

    private static final PciBus bus = new PciBus();
    private static final AtomicLong cycles = new AtomicLong();
    private static final AtomicLong timeouts = new AtomicLong();
    private static volatile String failure;
    private static String onBus;

    private static void burst(int words) throws InterruptedException {
        if (!bus.request(2000)) {
            timeouts.incrementAndGet();
            return;
        }
        try {
            String me = Thread.currentThread().getName();
            boolean outermost = onBus == null;
            onBus = me;
            if (words > 0) {
                burst(words - 1);
            } else {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
            if (!me.equals(onBus)) {
                failure = me + " met " + onBus + " on the bus";
            }
            if (outermost) {
                onBus = null;
            }
            cycles.incrementAndGet();
        } finally {
            bus.relinquish();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        String[] masters = {"cpu", "disk", "network", "graphics", "sound"};
        for (int i = 0; i < masters.length; i++) {
            int words = i % 3;
            Thread thread = new Thread(() -> {
                try {
                    for (;;) {
                        burst(words);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    }
                } catch (InterruptedException e) {
                    failure = "interrupted";
                } catch (RuntimeException e) {
                    failure = e.toString();
                }
            }, masters[i]);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + cycles);
    }
}
