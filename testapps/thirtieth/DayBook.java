// @lock DayBook$Day
// @type LATCH+MUTEX count=1
// @role await DayBook$Day.untilOpen
// @role count-down DayBook$Day.open
// @role enter DayBook$Day.book
// @role enter DayBook$Day.balance

// @lock DayBook$Finished
// @type JOIN
// @role join DayBook$Finished.waitForIt

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Business days, very short ones: cashiers wait for the day to be opened, then book into it; at night a thread of its own draws up the balance. */
public class DayBook {
    static class Day {
        final int number;
        private boolean open;
        private int debit;
        private int credit;
        private int entries;

        Day(int number) {
            this.number = number;
        }

        synchronized void untilOpen() throws InterruptedException {
            while (!open)
                wait();
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }

        synchronized void book(int amount) throws InterruptedException {
            debit += amount;
            entries++;
            Thread.sleep(1);
            credit += amount;
        }

        synchronized int balance() {
            if (debit != credit)
                throw new IllegalStateException("day " + number + ": debit " + debit + ", credit " + credit);
            return entries;
        }
    }

    /** Set by a worker when it is about to end, and by nothing else. */
    static class Finished {
        private boolean finished;
        private int result;

        synchronized void now(int result) {
            this.result = result;
            finished = true;
            notifyAll();
        }

        synchronized int waitForIt() throws InterruptedException {
            while (!finished)
                wait();
            return result;
        }
    }

    static class BalanceRun implements Runnable {
        final Finished finished = new Finished();
        private final Day day;

        BalanceRun(Day day) {
            this.day = day;
        }

        public void run() {
            int result = -1;
            try {
                Thread.sleep(3);
                result = day.balance();
            } catch (InterruptedException e) {
                // no result
            } catch (RuntimeException e) {
                e.printStackTrace();
            } finally {
                finished.now(result);
            }
        }
    }

    static final AtomicReference<Day> today = new AtomicReference<Day>(new Day(1));
    static final AtomicLong booked = new AtomicLong();
    static volatile boolean stop;

    static class Cashier extends Thread {
        Cashier(int n) {
            super("cashier-" + n);
            setDaemon(true);
        }

        public void run() {
            Random random = new Random();
            try {
                while (!stop) {
                    Day day = today.get();
                    day.untilOpen();
                    for (int i = 0; i < 3; i++) {
                        day.book(1 + random.nextInt(100));
                        booked.incrementAndGet();
                        sleep(random.nextInt(3));
                    }
                    while (today.get() == day && !stop)
                        sleep(2);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Cashier[] cashiers = new Cashier[4];
        for (int i = 0; i < cashiers.length; i++) {
            cashiers[i] = new Cashier(i);
            cashiers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        long end = System.nanoTime() + seconds * 1000000000L;
        int days = 0;
        while (System.nanoTime() < end) {
            Day day = today.get();
            Thread.sleep(6); // keys, cash drawers, coffee
            day.open();
            Thread.sleep(12);
            BalanceRun night = new BalanceRun(day);
            Thread t = new Thread(night, "night-" + day.number);
            t.setDaemon(true);
            t.start();
            if (night.finished.waitForIt() < 0)
                throw new IllegalStateException("no balance for day " + day.number);
            days++;
            today.set(new Day(day.number + 1));
        }
        stop = true;
        today.get().open();
        if (booked.get() == 0)
            throw new IllegalStateException("nothing was booked");
        System.out.println("DONE " + days);
    }
}
