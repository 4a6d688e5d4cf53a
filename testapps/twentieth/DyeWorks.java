// Baths of dye, a thread each, waited for by the dyer; they share one balance behind a re-entrant lock.
// @lock DyeWorks$Bath
// @type JOIN
// @role join DyeWorks$Bath.awaitEnd
// @lock DyeWorks$Balance
// @type LOCK reentrant=true
// @role lock DyeWorks$Balance.seize
// @role lock DyeWorks$Balance.trySeize
// @role unlock DyeWorks$Balance.leave
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class DyeWorks {
    static class Balance {
        private Thread user;
        private int depth;
        long weighed, booked;

        synchronized void seize() {
            Thread me = Thread.currentThread();
            boolean interrupted = false;
            while (user != null && user != me) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            user = me;
            depth++;
            if (interrupted) me.interrupt();
        }

        synchronized boolean trySeize(long millis) throws InterruptedException {
            Thread me = Thread.currentThread();
            long end = System.nanoTime() + millis * 1_000_000;
            while (user != null && user != me) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) return false;
                wait(left);
            }
            user = me;
            depth++;
            return true;
        }

        synchronized void leave() {
            if (user != Thread.currentThread()) throw new IllegalMonitorStateException("not at the balance");
            if (--depth == 0) {
                user = null;
                notify();
            }
        }
    }

    static class Bath extends Thread {
        private final Balance balance;
        private boolean ended;

        Bath(Balance balance) {
            this.balance = balance;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                nap(1, 4);
                balance.seize();
                try {
                    balance.weighed++;
                    weigh();
                } finally {
                    balance.leave();
                }
            } catch (InterruptedException e) {
                bad = "interrupted";
            } finally {
                synchronized (this) {
                    ended = true;
                    notifyAll();
                }
            }
        }

        private void weigh() throws InterruptedException {
            balance.seize();
            try {
                nap(1, 3);
                balance.booked++;
            } finally {
                balance.leave();
            }
        }

        void awaitEnd() throws InterruptedException {
            synchronized (this) {
                while (!ended) wait(500);
            }
        }
    }

    static final AtomicLong OPS = new AtomicLong();
    static volatile String bad;

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok) bad = what; }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    body.run();
                    OPS.incrementAndGet();
                }
            } catch (Exception | Error e) {
                e.printStackTrace();
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    /** Watches over the run: failures, and standstill for twenty seconds. */
    static void supervise(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(100);
            long now = OPS.get();
            still = now == seen ? still + 1 : 0;
            seen = now;
            check(still < 200, "standstill");
        }
        System.out.println(bad == null ? "DONE " + OPS.get() : "FAILED " + bad);
        System.out.flush();
        System.exit(bad == null ? 0 : 1);
    }
    public static void main(String[] args) throws Exception {
        Balance balance = new Balance();
        for (int d = 0; d < 2; d++)
            spawn("dyer-" + d, () -> {
                Bath[] baths = { new Bath(balance), new Bath(balance), new Bath(balance) };
                for (Bath b : baths) b.start();
                for (Bath b : baths) b.awaitEnd();
                nap(1, 3);
            });
        spawn("inspector", () -> {
            if (balance.trySeize(30)) {
                check(balance.weighed == balance.booked, "weighed but not booked");
                nap(1, 3);
                balance.leave();
            }
            nap(4, 12);
        });
        supervise(args);
    }
}
