// @lock BankBranch$UpgradableLock
// @type READ-WRITE
// @role read-lock BankBranch$UpgradableLock.read
// @role read-unlock BankBranch$UpgradableLock.readDone
// @role write-lock BankBranch$UpgradableLock.write
// @role write-unlock BankBranch$UpgradableLock.writeDone

// @lock BankBranch$Account
// @type MUTEX
// @role enter BankBranch$Account.move
// @role enter BankBranch$Account.audit

// @lock BankBranch$Journal
// @type NOT-SHARED
// @role enter BankBranch$Journal.note
// @quiet

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A branch: rates behind a lock whose reader may become the writer, accounts, and a journal for each teller. */
public class BankBranch {

    /** At most one reader may hold the intent; the intent becomes a write once the other readers are gone. */
    static final class UpgradableLock {
        private int readers;
        private Thread intent;
        private boolean writing;

        synchronized void read() throws InterruptedException {
            while (writing) {
                wait();
            }
            readers++;
        }

        synchronized void readDone() {
            if (--readers <= 1) {
                notifyAll();
            }
        }

        /** A reader that may ask for more. */
        synchronized void readWithIntent() throws InterruptedException {
            while (writing || intent != null) {
                wait();
            }
            intent = Thread.currentThread();
            readers++;
        }

        synchronized void upgrade() throws InterruptedException {
            if (intent != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            while (readers > 1) {
                wait();
            }
            readers = 0;
            writing = true;
        }

        synchronized void downgrade() {
            writing = false;
            readers = 1;
            notifyAll();
        }

        synchronized void intentDone() {
            intent = null;
            readers--;
            notifyAll();
        }

        synchronized void write() throws InterruptedException {
            while (writing || readers > 0) {
                wait();
            }
            writing = true;
        }

        synchronized void writeDone() {
            writing = false;
            notifyAll();
        }
    }

    static final class Account {
        private final long[] days = new long[4000];
        private int day;

        void move(long amount) {
            synchronized (this) {
                day = (day + 1) % days.length;
                days[day] += amount;
                sum();
            }
        }

        long audit() {
            synchronized (this) {
                return sum();
            }
        }

        private long sum() {
            long s = 0;
            for (int round = 0; round < 25; round++) {
                s = 0;
                for (long d : days) {
                    s += d;
                }
            }
            return s;
        }
    }

    static final class Journal {
        private final List<String> lines = new ArrayList<>();

        synchronized int note(String line) {
            if (lines.size() == 100) {
                lines.clear();
            }
            lines.add(line);
            return lines.size();
        }
    }

    static volatile String wrong;
    static final AtomicInteger writing = new AtomicInteger();
    static final AtomicInteger done = new AtomicInteger();

    static void exclusive() throws InterruptedException {
        if (writing.incrementAndGet() != 1) {
            wrong = "two writers";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
        writing.decrementAndGet();
    }

    private abstract static class Teller extends Thread {
        final Journal journal = new Journal();

        Teller(String name) {
            super(name);
            setDaemon(true);
        }

        abstract void work() throws InterruptedException;

        @Override
        public void run() {
            try {
                while (wrong == null) {
                    work();
                    journal.note("done " + done.incrementAndGet());
                }
            } catch (InterruptedException e) {
                wrong = e.toString();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        UpgradableLock rates = new UpgradableLock();
        Account[] accounts = {new Account(), new Account()};
        for (int i = 0; i < 4; i++) {
            new Teller("teller-" + i) {
                @Override
                void work() throws InterruptedException {
                    rates.read();
                    if (writing.get() != 0) {
                        wrong = "read half a rate";
                    }
                    sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    rates.readDone();
                    for (int k = 0; k < 5; k++) {
                        accounts[k % 2].move(k - 2);
                    }
                    sleep(ThreadLocalRandom.current().nextInt(0, 8));
                }
            }.start();
        }
        new Teller("treasurer") {
            @Override
            void work() throws InterruptedException {
                rates.readWithIntent();
                sleep(2);
                if (ThreadLocalRandom.current().nextBoolean()) {
                    rates.upgrade();
                    exclusive();
                    rates.downgrade();
                }
                rates.intentDone();
                sleep(ThreadLocalRandom.current().nextInt(2, 12));
            }
        }.start();
        new Teller("head-office") {
            @Override
            void work() throws InterruptedException {
                rates.write();
                exclusive();
                rates.writeDone();
                accounts[0].audit();
                accounts[1].audit();
                sleep(ThreadLocalRandom.current().nextInt(4, 18));
            }
        }.start();
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (wrong != null) {
            System.out.println(wrong);
            System.exit(1);
        }
        System.out.println("DONE " + done);
    }
}
