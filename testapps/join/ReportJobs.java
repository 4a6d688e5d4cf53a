// @lock ReportJobs$Completion
// @type JOIN
// @role join ReportJobs$Completion.await

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Reports computed on a thread each; the completion object's signal is the thread's very last act. */
public final class ReportJobs {
    /** Stands for the end of one thread. */
    static final class Completion {
        private Thread runner;
        private long result;

        static Completion launch(Report report) {
            Completion c = new Completion();
            Thread t = new Thread(() -> c.run(report), "report");
            t.setDaemon(true);
            c.runner = t;
            t.start();
            return c;
        }

        private void run(Report report) {
            long value = -1;
            try {
                value = report.compute();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended(value);
            }
        }

        private synchronized void ended(long value) {
            result = value;
            runner = null;
            notifyAll();
        }

        synchronized long await() throws InterruptedException {
            while (runner != null) {
                wait();
            }
            return result;
        }
    }

    interface Report {
        long compute() throws InterruptedException;
    }

    private static long primes(int limit) throws InterruptedException {
        long found = 0;
        for (int n = 2; n < limit; n++) {
            boolean prime = true;
            for (int d = 2; d * d <= n && prime; d++) {
                prime = n % d != 0;
            }
            if (prime) {
                found++;
            }
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        return found;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        AtomicLong reports = new AtomicLong();
        AtomicLong wrong = new AtomicLong();
        Thread clerk = new Thread(() -> serve(until, reports, wrong), "clerk");
        clerk.setDaemon(true);
        clerk.start();
        System.out.println("READY");
        System.out.flush();
        serve(until, reports, wrong);
        clerk.join();
        if (wrong.get() > 0) {
            throw new IllegalStateException(wrong + " wrong reports");
        }
        System.out.println("DONE " + reports);
    }

    private static void serve(long until, AtomicLong reports, AtomicLong wrong) {
        try {
            while (System.nanoTime() - until < 0) {
                Completion a = Completion.launch(() -> primes(1000));
                Completion b = Completion.launch(() -> primes(100));
                if (a.await() != 168 || b.await() != 25) {
                    wrong.incrementAndGet();
                }
                reports.addAndGet(2);
            }
        } catch (InterruptedException e) {
            wrong.incrementAndGet();
        }
    }
}
