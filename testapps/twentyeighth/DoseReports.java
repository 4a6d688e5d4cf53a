// @lock DoseReports$Timer
// @type JOIN
// @role join DoseReports$Report.issue
// @lock DoseReports$ThreadPool
// @type LOCK reentrant=false
// @role lock DoseReports$ThreadPool.submit
// @role unlock DoseReports$ThreadPool.shutdown

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Reports about doses; each has its figures added up by two threads of its own and is printed on the one printer. */
public final class DoseReports {
    /** Adds up part of the figures, and measures how long it took: hence the name. */
    static class Timer extends Thread {
        private final int[] doses;
        private final int from;
        private final int to;
        long sum;
        long nanos;

        Timer(int[] doses, int from, int to) {
            super("timer");
            this.doses = doses;
            this.from = from;
            this.to = to;
            setDaemon(true);
        }

        @Override
        public void run() {
            long start = System.nanoTime();
            for (int i = from; i < to; i++) {
                sum += doses[i];
                if (i % 8 == 0) {
                    try {
                        Thread.sleep(2);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
            nanos = System.nanoTime() - start;
        }
    }

    /** The printing thread, once; today any thread that submits itself and then shuts down what it printed. */
    static final class ThreadPool {
        private Thread printing;
        private final List<Thread> line = new ArrayList<>();

        void submit() throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (this) {
                line.add(me);
                try {
                    while (printing != null || line.get(0) != me) {
                        wait();
                    }
                    printing = me;
                } finally {
                    line.remove(me);
                }
            }
        }

        void shutdown() {
            synchronized (this) {
                if (printing != Thread.currentThread()) {
                    throw new IllegalStateException("somebody else is printing");
                }
                printing = null;
                notifyAll();
            }
        }
    }

    private static final ThreadPool pool = new ThreadPool();
    private static final StringBuilder paper = new StringBuilder();
    private static final AtomicLong pages = new AtomicLong();
    private static volatile Exception failure;
    private static volatile boolean stop;

    static final class Report implements Runnable {
        private final String ward;

        Report(String ward) {
            this.ward = ward;
        }

        long issue(int[] doses) throws InterruptedException {
            Timer[] halves = {new Timer(doses, 0, doses.length / 2), new Timer(doses, doses.length / 2, doses.length)};
            for (Timer t : halves) {
                t.start();
            }
            long sum = 0;
            for (Timer t : halves) {
                synchronized (t) {
                    while (t.isAlive()) {
                        t.wait(1_000);
                    }
                }
                if (t.nanos == 0) {
                    throw new IllegalStateException("not added up");
                }
                sum += t.sum;
            }
            return sum;
        }

        private void print(long sum) throws InterruptedException {
            pool.submit();
            try {
                paper.setLength(0);
                String line = ward + ": " + sum;
                for (int i = 0; i < line.length(); i += 4) {
                    paper.append(line, i, Math.min(i + 4, line.length()));
                    Thread.sleep(1);
                }
                if (!line.contentEquals(paper)) {
                    throw new IllegalStateException("printed \"" + paper + "\" for \"" + line + "\"");
                }
                pages.incrementAndGet();
            } finally {
                pool.shutdown();
            }
        }

        @Override
        public void run() {
            try {
                while (!stop) {
                    int[] doses = new int[80];
                    long expected = 0;
                    for (int i = 0; i < doses.length; i++) {
                        doses[i] = ThreadLocalRandom.current().nextInt(100);
                        expected += doses[i];
                    }
                    long sum = issue(doses);
                    if (sum != expected) {
                        throw new IllegalStateException(sum + " for " + expected);
                    }
                    print(sum);
                    Thread.sleep(1);
                    print(-sum);
                }
            } catch (Exception e) {
                failure = e;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        List<Thread> wards = new ArrayList<>();
        for (String w : new String[] {"surgery", "oncology", "paediatrics"}) {
            Thread t = new Thread(new Report(w), w);
            t.setDaemon(true);
            t.start();
            wards.add(t);
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : wards) {
            t.join(10_000);
        }
        if (failure != null || pages.get() == 0) {
            System.out.println("FAILED " + failure);
            System.exit(1);
        }
        System.out.println("DONE " + pages);
    }
}
