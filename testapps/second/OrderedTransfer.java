// @lock OrderedTransfer$Account
// @type MUTEX
// @role enter OrderedTransfer.transfer
// @role enter OrderedTransfer$Account.balance

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Transfers lock two accounts, one inside the other, always in the order of their numbers. */
public class OrderedTransfer {
    static class Account {
        final int number;
        private long cents;

        Account(int number, long cents) {
            this.number = number;
            this.cents = cents;
        }

        synchronized long balance() {
            return cents;
        }
    }

    static boolean transfer(Account from, Account to, long cents) throws InterruptedException {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                if (from.cents < cents) {
                    return false;
                }
                from.cents -= cents;
                Thread.sleep(1);
                to.cents += cents;
                return true;
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Account[] bank = new Account[4];
        for (int i = 0; i < bank.length; i++) {
            bank[i] = new Account(i, 10_000);
        }
        AtomicLong done = new AtomicLong();
        boolean[] stop = new boolean[1];
        String[] broken = new String[1];
        Thread[] tellers = new Thread[4];
        for (int i = 0; i < tellers.length; i++) {
            Random rnd = new Random(i);
            tellers[i] = new Thread(() -> {
                try {
                    while (!stop[0]) {
                        int x = rnd.nextInt(bank.length);
                        int y = (x + 1 + rnd.nextInt(bank.length - 1)) % bank.length;
                        if (transfer(bank[x], bank[y], rnd.nextInt(500))) {
                            done.incrementAndGet();
                        }
                        if (bank[x].balance() < 0) {
                            broken[0] = "account overdrawn";
                        }
                        Thread.sleep(rnd.nextInt(5));
                    }
                } catch (InterruptedException e) {
                    broken[0] = "interrupted";
                }
            }, "teller-" + i);
            tellers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop[0] = true;
        for (Thread t : tellers) {
            t.join();
        }
        long sum = 0;
        for (Account acc : bank) {
            sum += acc.balance();
        }
        if (broken[0] != null || sum != 40_000) {
            System.out.println("sum is " + sum + ", " + broken[0]);
            System.exit(1);
        }
        System.out.println("DONE " + done);
    }
}
