// @lock SavingsTellers$Account
// @type MUTEX
// @role enter SavingsTellers$Account.deposit
// @role enter SavingsTellers$Account.withdraw

import java.util.Random;

/** Week one of the course: three accounts, six tellers, and the balance that no longer gets lost since the methods are synchronized. */
public class SavingsTellers {
    static class Account {
        private int balance;

        Account(int start) {
            balance = start;
        }

        public synchronized void deposit(int amount) throws InterruptedException {
            int old = balance;
            Thread.sleep(1); // gives the other tellers a chance to spoil it
            balance = old + amount;
        }

        public synchronized boolean withdraw(int amount) throws InterruptedException {
            if (balance < amount) {
                return false;
            }
            int old = balance;
            Thread.sleep(1);
            balance = old - amount;
            return true;
        }

        public synchronized int getBalance() {
            return balance;
        }
    }

    static class Teller extends Thread {
        private final Account[] accounts;
        private final Random random;
        int transfers;

        Teller(Account[] accounts, int number) {
            super("teller-" + number);
            this.accounts = accounts;
            this.random = new Random(number);
        }

        @Override
        public void run() {
            try {
                while (!closed) {
                    Account from = accounts[random.nextInt(accounts.length)];
                    Account to = accounts[random.nextInt(accounts.length)];
                    int amount = random.nextInt(50) + 1;
                    if (from.withdraw(amount)) {
                        to.deposit(amount);
                        transfers++;
                    }
                    Thread.sleep(random.nextInt(6));
                }
            } catch (InterruptedException e) {
                System.out.println(getName() + " interrupted");
            }
        }
    }

    static volatile boolean closed = false;

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Account[] accounts = {new Account(1000), new Account(1000), new Account(1000)};
        Teller[] tellers = new Teller[6];
        for (int i = 0; i < tellers.length; i++) {
            tellers[i] = new Teller(accounts, i);
            tellers[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        closed = true;
        int ops = 0;
        for (Teller t : tellers) {
            t.join();
            ops += t.transfers;
        }
        int sum = 0;
        for (Account a : accounts) {
            sum += a.getBalance();
        }
        if (sum != 3000) {
            System.out.println("money lost: " + sum);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
