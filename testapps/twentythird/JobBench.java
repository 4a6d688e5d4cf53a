// @lock JobBench$Job
// @type JOIN
// @role join JobBench$Job.awaitEnd
//
// @lock JobBench$Backoff
// @type DELAY
// @role delay JobBench$Backoff.pause

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Jobs on a thread each: the bench waits on the thread object until the virtual machine says that it has ended.
 * Jobs that hit a busy tool try again after a pause that grows.
 */
public class JobBench {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    static class Job extends Thread {
        private final int input;
        private int result;

        Job(int input) {
            super("job-" + input);
            this.input = input;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i <= input; i++) {
                    nap(1, 3);
                    result += i;
                }
            } catch (InterruptedException e) {
                check(false, "job interrupted");
            }
        }

        boolean awaitEnd(long millis) throws InterruptedException {
            synchronized (this) {
                long end = System.currentTimeMillis() + millis;
                while (isAlive()) {
                    long left = end - System.currentTimeMillis();
                    if (left <= 0) {
                        return false;
                    }
                    wait(left);
                }
                return true;
            }
        }
    }

    static class Backoff {
        private final Object lonely = this;
        private long delay = 2;

        void pause() throws InterruptedException {
            synchronized (lonely) {
                lonely.wait(delay);
                delay = Math.min(delay * 2, 16);
            }
        }

        void reset() {
            delay = 2;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            loop("bench-" + i, () -> {
                int n = ThreadLocalRandom.current().nextInt(1, 6);
                Job job = new Job(n);
                job.start();
                check(job.awaitEnd(10_000), "job did not end");
                check(job.result == n * (n + 1) / 2, "job ended without its result");
                nap(1, 5);
            });
        }
        AtomicLong tool = new AtomicLong();
        for (int i = 1; i <= 3; i++) {
            int me = i;
            Backoff backoff = new Backoff();
            loop("mechanic-" + i, () -> {
                while (!tool.compareAndSet(0, me)) {
                    backoff.pause();
                }
                backoff.reset();
                nap(3, 8);
                check(tool.getAndSet(0) == me, "tool taken away");
                nap(1, 4);
            });
        }
        finish(args);
    }
}
