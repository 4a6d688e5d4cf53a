// @edge PairById.Account.transfer -> PairById.Account.transfer
// @same PairById.Account.transfer ordered
// @no-cycle

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Transfers between accounts that lock both, the one with the smaller number first. */
public final class PairById {
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;

    static final class Account {
        private final int number;
        private long balance = 1_000;

        Account(int number) {
            this.number = number;
        }

        static void transfer(Account from, Account to, long amount) throws InterruptedException {
            Account first = from.number < to.number ? from : to;
            Account second = first == from ? to : from;
            synchronized (first) {
                if (ThreadLocalRandom.current().nextInt(3) == 0) {
                    Thread.sleep(1);
                }
                synchronized (second) {
                    from.balance -= amount;
                    to.balance += amount;
                }
            }
            done.incrementAndGet();
        }
    }

    private static void clerk(Account[] accounts) {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            while (open) {
                int from = dice.nextInt(accounts.length);
                int to = (from + 1 + dice.nextInt(accounts.length - 1)) % accounts.length;
                Account.transfer(accounts[from], accounts[to], dice.nextInt(10));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Account[] accounts = new Account[5];
        for (int number = 0; number < accounts.length; number++) {
            accounts[number] = new Account(number);
        }
        Thread[] clerks = new Thread[4];
        for (int i = 0; i < clerks.length; i++) {
            clerks[i] = new Thread(() -> clerk(accounts), "clerk-" + i);
            clerks[i].setDaemon(true);
            clerks[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        for (Thread clerk : clerks) {
            clerk.join(5_000);
        }
        long sum = 0;
        for (Account account : accounts) {
            sum += account.balance;
        }
        if (sum != 1_000L * accounts.length) {
            throw new IllegalStateException("money was made or lost: " + sum);
        }
        System.out.println("DONE " + done.get());
    }
}
