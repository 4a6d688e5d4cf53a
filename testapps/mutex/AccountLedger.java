// @lock AccountLedger$Ledger
// @type MUTEX
// @role enter AccountLedger$Ledger.transfer
// @role enter AccountLedger$Ledger.total

import java.util.concurrent.ThreadLocalRandom;

/** A bank whose tellers book transfers in one ledger while an auditor adds everything up. */
public final class AccountLedger {
    private static volatile boolean open = true;
    private static volatile boolean broken;

    /** Guarded by its own monitor, synchronized methods throughout. */
    static final class Ledger {
        private final long[] balances = new long[32];
        private long bookings;

        Ledger() {
            java.util.Arrays.fill(balances, 1_000);
        }

        synchronized void transfer(int from, int to, long amount) throws InterruptedException {
            if (balances[from] < amount) {
                return;
            }
            balances[from] -= amount;
            if (++bookings % 4 == 0) {
                Thread.sleep(1); // the journal is forced to disk before the money arrives
            }
            balances[to] += amount;
        }

        synchronized long total() {
            long sum = 0;
            for (long b : balances) {
                sum += b;
            }
            return sum;
        }
    }

    private static void teller(Ledger ledger) {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            while (open) {
                ledger.transfer(dice.nextInt(32), dice.nextInt(32), dice.nextInt(50));
                Thread.sleep(dice.nextInt(4));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static void auditor(Ledger ledger) {
        try {
            while (open) {
                if (ledger.total() != 32_000) {
                    broken = true;
                }
                Thread.sleep(3);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Ledger ledger = new Ledger();
        Thread[] staff = new Thread[6];
        for (int i = 0; i < 5; i++) {
            staff[i] = new Thread(() -> teller(ledger), "teller-" + i);
        }
        staff[5] = new Thread(() -> auditor(ledger), "auditor");
        for (Thread t : staff) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        for (Thread t : staff) {
            t.join(5_000);
        }
        if (broken || ledger.total() != 32_000) {
            throw new IllegalStateException("money was made or lost: " + ledger.total());
        }
        System.out.println("DONE " + ledger.bookings);
    }
}
