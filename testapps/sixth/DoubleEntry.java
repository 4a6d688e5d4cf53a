// @lock DoubleEntry$Account
// @type MUTEX
// @role enter DoubleEntry.transfer

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Course work, sheet 4: transfers between accounts without a deadlock. Two accounts are locked in the order of their numbers. */
public class DoubleEntry {
    static class Account {
        final int number;
        long balance = 1000;
        long entries;

        Account(int number) {
            this.number = number;
        }
    }

    static final int ACCOUNTS = 5;
    static final Account[] accounts = new Account[ACCOUNTS];
    static final AtomicLong transfers = new AtomicLong();
    static volatile String error;

    static void transfer(Account from, Account to, long amount) throws InterruptedException {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            Thread.sleep(1); // sheet 4 asks for it: "provoke the deadlock of the naive solution"
            synchronized (second) {
                if (from.balance < amount) {
                    return;
                }
                from.balance -= amount;
                Thread.yield();
                to.balance += amount;
                from.entries++;
                to.entries++;
            }
        }
        transfers.incrementAndGet();
    }

    /** Locks all the accounts, the lowest number first. */
    static long total(int from) {
        if (from == ACCOUNTS) {
            long sum = 0;
            for (Account a : accounts) {
                sum += a.balance;
            }
            return sum;
        }
        synchronized (accounts[from]) {
            return total(from + 1);
        }
    }

    static void teller() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (error == null) {
                int a = random.nextInt(ACCOUNTS);
                int b = (a + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                transfer(accounts[a], accounts[b], random.nextInt(1, 200));
                Thread.sleep(random.nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            error = "a teller was interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = new Account(i);
        }
        for (int i = 0; i < 7; i++) {
            Thread teller = new Thread(DoubleEntry::teller, "teller " + i);
            teller.setDaemon(true);
            teller.start();
        }
        System.out.println("READY");
        long start = System.nanoTime();
        while (System.nanoTime() - start < seconds * 1_000_000_000L && error == null) {
            Thread.sleep(25);
            long total = total(0);
            if (total != 1000L * ACCOUNTS) {
                error = "the bank owns " + total;
            }
        }
        if (error != null) {
            System.err.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + transfers);
    }
}
