// @lock NightAudit$Account
// @type LOCK reentrant=true
// @role lock NightAudit$Lockable.lock
// @role unlock NightAudit$Lockable.unlock
//
// @lock NightAudit$Journal
// @type MUTEX
// @role enter NightAudit$Journal.append
// @role enter NightAudit$Journal.turnover
//
// @lock java.lang.Object#idle
// @type DELAY
// @role delay NightAudit$Service.idle

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A bank's nightly run, grown over years: services idle between rounds, accounts lock themselves, and a journal keeps everything. */
public class NightAudit {
    /** From the house library: anything that can be locked by a thread, as often as it likes. */
    static abstract class Lockable {
        private String lockedBy;
        private int times;

        public void lock() {
            String me = Thread.currentThread().getName();
            boolean interrupted = false;
            synchronized (this) {
                while (lockedBy != null && !lockedBy.equals(me)) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
                lockedBy = me;
                times++;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        public void unlock() {
            synchronized (this) {
                if (!Thread.currentThread().getName().equals(lockedBy)) {
                    throw new IllegalStateException("locked by " + lockedBy);
                }
                times--;
                if (times == 0) {
                    lockedBy = null;
                    notify();
                }
            }
        }
    }

    static class Account extends Lockable {
        final int number;
        private int balance;
        private int entries;

        Account(int number) {
            this.number = number;
        }

        void add(int amount) {
            lock();
            try {
                int b = balance;
                Service.work(1);
                balance = b + amount;
                entries++;
            } finally {
                unlock();
            }
        }

        int[] statement() {
            lock();
            try {
                return new int[] {balance, entries};
            } finally {
                unlock();
            }
        }
    }

    static class Journal {
        private final List<int[]> lines = new ArrayList<int[]>();
        private long turnover;

        synchronized void append(int from, int to, int amount) {
            lines.add(new int[] {from, to, amount});
            if (lines.size() >= 4) {
                Service.work(1);
                for (int[] line : lines) {
                    turnover += line[2];
                }
                lines.clear();
            }
        }

        synchronized long turnover() {
            Service.work(1);
            long sum = turnover;
            for (int[] line : lines) {
                sum += line[2];
            }
            return sum;
        }
    }

    static abstract class Service extends Thread {
        private final Object nobody = new Object();
        protected final Random random;
        volatile long rounds;

        Service(String name, long seed) {
            super(name);
            random = new Random(seed);
            setDaemon(true);
        }

        static void work(int ms) {
            try {
                Thread.sleep(ms);
            } catch (InterruptedException e) {
                problem = "interrupted";
            }
        }

        private void idle(long ms) throws InterruptedException {
            synchronized (nobody) {
                nobody.wait(ms);
            }
        }

        protected abstract void round();

        @Override
        public void run() {
            try {
                while (problem == null) {
                    round();
                    rounds++;
                    idle(1 + random.nextInt(4));
                }
            } catch (InterruptedException e) {
                problem = "interrupted";
            }
        }
    }

    static volatile String problem;

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Account[] accounts = {new Account(0), new Account(1), new Account(2)};
        final Journal journal = new Journal();
        List<Service> services = new ArrayList<Service>();
        for (int i = 0; i < 6; i++) {
            services.add(new Service("teller-" + i, i) {
                @Override
                protected void round() {
                    int a = random.nextInt(2);
                    Account from = accounts[a];
                    Account to = accounts[a + 1 + random.nextInt(2 - a)];
                    int amount = random.nextInt(100) - 50;
                    from.lock();
                    try {
                        to.lock();
                        try {
                            from.add(-amount);
                            to.add(amount);
                        } finally {
                            to.unlock();
                        }
                    } finally {
                        from.unlock();
                    }
                    journal.append(from.number, to.number, Math.abs(amount));
                }
            });
        }
        services.add(new Service("auditor", 77) {
            @Override
            protected void round() {
                for (Account a : accounts) {
                    a.lock();
                }
                int sum = 0;
                for (Account a : accounts) {
                    sum += a.statement()[0];
                }
                for (Account a : accounts) {
                    a.unlock();
                }
                if (sum != 0) {
                    problem = "the accounts are out by " + sum;
                }
            }
        });
        for (int i = 0; i < 3; i++) {
            services.add(new Service("turnover-" + i, 80 + i) {
                private long before;

                @Override
                protected void round() {
                    long now = journal.turnover();
                    if (now < before) {
                        problem = "turnover fell from " + before + " to " + now;
                    }
                    before = now;
                }
            });
        }
        for (Service s : services) {
            s.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (problem != null) {
            System.out.println(problem);
            System.exit(1);
        }
        long rounds = 0;
        for (Service s : services) {
            rounds += s.rounds;
        }
        System.out.println("DONE " + rounds);
    }
}
