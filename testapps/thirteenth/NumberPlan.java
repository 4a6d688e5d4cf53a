// The numbering plan of a switch: call handlers read it, provisioning changes it, and the peers' replicators wait for
// a version newer than the one they sent last; reading, changing and that waiting are one monitor.
//
// @lock NumberPlan$Plan
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock NumberPlan$Plan.beginRead
// @role read-unlock NumberPlan$Plan.endRead
// @role write-lock NumberPlan$Plan.beginChange
// @role write-unlock NumberPlan$Plan.endChange
// @role wait NumberPlan$Plan.awaitNewer
// @role notify NumberPlan$Plan.endChange

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class NumberPlan {
    static volatile String broken;
    static final AtomicLong lookups = new AtomicLong(), replicated = new AtomicLong();

    static final class Plan {
        private final Object monitor = this;
        private int readers;
        private Thread changer;
        private long version;
        final int[] from = new int[8], to = new int[8];

        void beginRead() throws InterruptedException {
            synchronized (monitor) {
                while (changer != null)
                    monitor.wait();
                ++readers;
            }
        }

        void endRead() {
            synchronized (monitor) {
                if (readers <= 0)
                    throw new IllegalStateException("nobody reads");
                if (--readers == 0)
                    monitor.notifyAll();
            }
        }

        void beginChange() throws InterruptedException {
            synchronized (monitor) {
                while (readers > 0 || changer != null)
                    monitor.wait();
                changer = Thread.currentThread();
            }
        }

        void endChange() {
            synchronized (monitor) {
                if (changer != Thread.currentThread())
                    throw new IllegalStateException("changed by " + changer);
                changer = null;
                version++;
                monitor.notifyAll();
            }
        }

        long awaitNewer(long than) throws InterruptedException {
            synchronized (monitor) {
                while (version <= than)
                    monitor.wait();
                return version;
            }
        }
    }

    static final class Handler extends Thread {
        private final Plan plan;

        Handler(Plan plan) {
            super("handler");
            this.plan = plan;
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    plan.beginRead();
                    for (int i = 0; i < plan.from.length; i++)
                        if (plan.from[i] > plan.to[i])
                            broken = "an inverted range was seen";
                    Thread.sleep(1);
                    plan.endRead();
                    lookups.incrementAndGet();
                    Thread.sleep(3 + ThreadLocalRandom.current().nextInt(9));
                }
            } catch (InterruptedException e) {
                broken = "handler interrupted";
            }
        }
    }

    static final class Provisioning extends Thread {
        private final Plan plan;

        Provisioning(Plan plan) {
            super("provisioning");
            this.plan = plan;
        }

        @Override
        public void run() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                for (;;) {
                    plan.beginChange();
                    int i = random.nextInt(plan.from.length);
                    int n = random.nextInt(1000);
                    plan.from[i] = n + 1000;
                    Thread.sleep(2);
                    plan.to[i] = n + 1000 + random.nextInt(50);
                    plan.from[i] = Math.min(plan.from[i], plan.to[i]);
                    plan.endChange();
                    Thread.sleep(random.nextInt(8, 18));
                }
            } catch (InterruptedException e) {
                broken = "provisioning interrupted";
            }
        }
    }

    static final class Replicator extends Thread {
        private final Plan plan;

        Replicator(Plan plan) {
            super("replicator");
            this.plan = plan;
        }

        @Override
        public void run() {
            try {
                for (long sent = 0;;) {
                    long now = plan.awaitNewer(sent);
                    if (now <= sent)
                        broken = "nothing new";
                    sent = now;
                    replicated.incrementAndGet();
                    Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                broken = "replicator interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Plan plan = new Plan();
        Thread[] threads = {new Handler(plan), new Handler(plan), new Handler(plan), new Handler(plan),
            new Provisioning(plan), new Provisioning(plan), new Replicator(plan), new Replicator(plan)};
        for (Thread t : threads) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (broken == null && System.nanoTime() < end)
            Thread.sleep(25);
        if (broken == null && (lookups.get() == 0 || replicated.get() == 0))
            broken = "no progress";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + (lookups.get() + replicated.get()));
    }
}
