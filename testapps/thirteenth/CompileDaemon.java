// A compile daemon that forks a thread for every job and joins it; what the jobs may download is metered by a bucket of
// tokens that a timer tops up.
//
// @lock CompileDaemon$Job
// @type JOIN
// @role join java.lang.Thread.join
//
// @lock CompileDaemon$Meter
// @type SEMAPHORE form=rate-limiter
// @role acquire CompileDaemon$Meter.spend
// @role release CompileDaemon$Meter.topUp

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class CompileDaemon {
    static volatile String broken;
    static final AtomicLong jobs = new AtomicLong(), spent = new AtomicLong(), granted = new AtomicLong();

    static final class Meter {
        private final int burst;
        private int tokens;

        Meter(int burst) {
            this.burst = burst;
        }

        synchronized void spend() throws InterruptedException {
            while (tokens < 1)
                wait();
            tokens--;
        }

        synchronized int topUp(int n) {
            int added = Math.min(n, burst - tokens);
            if (added > 0) {
                tokens += added;
                notifyAll();
            }
            return added;
        }
    }

    static final class Job extends Thread {
        private final Meter meter;
        private int classes;

        Job(Meter meter, String name) {
            super(name);
            this.meter = meter;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                int n = 1 + ThreadLocalRandom.current().nextInt(2);
                for (int i = 0; i < n; i++) {
                    meter.spend();
                    spent.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                }
                classes = 10 * n;
            } catch (InterruptedException e) {
                broken = getName() + " interrupted";
            }
        }

        int classes() {
            return classes;
        }
    }

    static final class Client extends Thread {
        private final Meter meter;

        Client(Meter meter, String name) {
            super(name);
            this.meter = meter;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int round = 0;; round++) {
                    Job main = new Job(meter, getName() + "-main-" + round);
                    Job test = new Job(meter, getName() + "-test-" + round);
                    main.start();
                    test.start();
                    main.join();
                    test.join();
                    if (main.classes() == 0 || test.classes() == 0)
                        broken = "joined, but no classes";
                    jobs.addAndGet(2);
                    Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                broken = getName() + " interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Meter meter = new Meter(4);
        Thread timer = new Thread("meter-timer") {
            @Override
            public void run() {
                try {
                    for (;;) {
                        Thread.sleep(10);
                        // said before the fact, so that 'spent' can never be ahead of it
                        granted.addAndGet(3);
                        granted.addAndGet(meter.topUp(3) - 3);
                    }
                } catch (InterruptedException e) {
                    broken = "timer interrupted";
                }
            }
        };
        timer.setDaemon(true);
        timer.start();
        for (int i = 0; i < 3; i++)
            new Client(meter, "client-" + i).start();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(30);
            long used = spent.get();
            if (used > granted.get() + 3)
                broken = "more was spent than granted";
        }
        if (broken == null && jobs.get() == 0)
            broken = "no job ended";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + jobs.get());
    }
}
