// @lock java.lang.Object#idle
// @type DELAY
// @role delay RenewLoop$Periodic.idle

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Background services of a container: each does its chore, then idles for its own interval; leases are renewed, caches aged. */
public final class RenewLoop {
    abstract static class Periodic extends Thread {
        private final Object monitor = new Object();

        Periodic(String name) {
            super(name);
        }

        protected abstract void chore();

        protected abstract long interval();

        private void idle() {
            synchronized (monitor) {
                try {
                    monitor.wait(interval());
                } catch (InterruptedException ignored) {
                    stopped = true;
                }
            }
        }

        @Override
        public void run() {
            do {
                chore();
                idle();
            } while (!stopped);
        }
    }

    private static final AtomicLongArray leases = new AtomicLongArray(3);
    private static final AtomicLong age = new AtomicLong();
    private static final AtomicLong chores = new AtomicLong();
    private static volatile boolean stopped;

    static final class Renewer extends Periodic {
        private final int lease;

        Renewer(int lease) {
            super("renew-" + lease);
            this.lease = lease;
        }

        @Override
        protected void chore() {
            leases.set(lease, System.nanoTime() + 20_000_000_000L);
            chores.incrementAndGet();
        }

        @Override
        protected long interval() {
            return 6 + lease;
        }
    }

    static final class Ager extends Periodic {
        Ager() {
            super("ager");
        }

        @Override
        protected void chore() {
            age.incrementAndGet();
            chores.incrementAndGet();
        }

        @Override
        protected long interval() {
            return 4;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        List<Periodic> services = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            services.add(new Renewer(i));
        }
        services.add(new Ager());
        for (Periodic p : services) {
            p.setDaemon(true);
            p.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        boolean expired = false;
        for (int i = 0; i < 3; i++) {
            expired |= leases.get(i) < System.nanoTime();
        }
        stopped = true;
        for (Periodic p : services) {
            p.join(5_000);
        }
        if (expired || age.get() == 0) {
            throw new IllegalStateException("a lease has expired");
        }
        System.out.println("DONE " + chores);
    }
}
