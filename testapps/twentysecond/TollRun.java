// @lock TollRun$Part
// @type JOIN
// @role join TollRun.awaitEnd
//
// @lock java.lang.Object#book
// @type MUTEX
// @role enter TollRun$Accounts.book
// @role enter TollRun$Accounts.total

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The nightly charging run, over and over: a thread for each part of the subscribers, all booking on the same accounts. */
public class TollRun {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class Accounts {
        private final Object guard = new Object();
        private final int[] cents = new int[16];
        private long sum;

        void book(int account, int amount) throws InterruptedException {
            synchronized (guard) {
                cents[account] += amount;
                Thread.sleep(1);
                sum += amount;
            }
        }

        void total() {
            synchronized (guard) {
                long s = 0;
                for (int c : cents) s += c;
                if (s != sum) broken = "accounts do not add up";
            }
        }
    }

    static final class Part extends Thread {
        private final Accounts accounts;
        volatile int booked;

        Part(Accounts accounts) {
            this.accounts = accounts;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                int n = ThreadLocalRandom.current().nextInt(3, 7);
                for (int i = 0; i < n; i++) {
                    accounts.book(ThreadLocalRandom.current().nextInt(16), ThreadLocalRandom.current().nextInt(1, 50));
                    booked++;
                }
            } catch (InterruptedException e) {
                broken = "part interrupted";
            }
        }
    }

    /** Waits on the thread, as its end wakes everybody who does. */
    static void awaitEnd(Part p) throws InterruptedException {
        synchronized (p) {
            while (p.isAlive()) p.wait();
        }
    }

    static void scheduler() {
        try {
            while (!stop) {
                Accounts accounts = new Accounts();
                Part[] parts = new Part[4];
                for (int i = 0; i < parts.length; i++) {
                    parts[i] = new Part(accounts);
                    parts[i].start();
                }
                for (Part p : parts) {
                    awaitEnd(p);
                    if (p.booked < 3) broken = "part ended early";
                    ops.addAndGet(p.booked);
                }
                accounts.total();
            }
        } catch (InterruptedException e) {
            broken = "scheduler interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(TollRun::scheduler, "scheduler-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
