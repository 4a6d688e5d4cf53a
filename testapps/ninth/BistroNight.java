// @lock BistroNight$Tables
// @type SEMAPHORE permits=4
// @role acquire BistroNight$Tables.beSeated
// @role release BistroNight$Tables.leave
//
// @lock BistroNight$Hatch
// @type PRODUCER-CONSUMER capacity=3
// @role put BistroNight$Hatch.order
// @role take BistroNight$Hatch.nextOrder
//
// @lock BistroNight$Till
// @type MUTEX
// @role enter BistroNight$Till.pay
// @role enter BistroNight$Till.count

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A bistro as a student project: four tables, a hatch to the kitchen that holds three orders, and one till. */
public class BistroNight {
    static class Tables {
        private Guest[] at = new Guest[4];

        public synchronized int beSeated(Guest guest) {
            int table = freeTable();
            while (table == -1) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    e.printStackTrace();
                }
                table = freeTable();
            }
            at[table] = guest;
            return table;
        }

        private int freeTable() {
            for (int i = 0; i < at.length; i++) {
                if (at[i] == null) {
                    return i;
                }
            }
            return -1;
        }

        public synchronized void leave(Guest guest, int table) {
            if (at[table] == guest) {
                at[table] = null;
                notify();
            }
        }
    }

    static class Hatch {
        private Guest[] slips = new Guest[3];

        public synchronized void order(Guest guest) {
            while (slips[2] != null) {
                doWait();
            }
            int i = 0;
            while (slips[i] != null) {
                i++;
            }
            slips[i] = guest;
            notifyAll();
        }

        public synchronized Guest nextOrder() {
            while (slips[0] == null) {
                doWait();
            }
            Guest guest = slips[0];
            slips[0] = slips[1];
            slips[1] = slips[2];
            slips[2] = null;
            notifyAll();
            return guest;
        }

        private void doWait() {
            try {
                wait();
            } catch (InterruptedException e) {
                e.printStackTrace();
            }
        }
    }

    static class Till {
        private int cash;
        private int receipts;

        synchronized void pay(int euros) {
            int before = cash;
            pause(1);
            cash = before + euros;
            receipts++;
        }

        synchronized boolean count(int euros) {
            return cash == receipts * euros;
        }
    }

    static void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            e.printStackTrace();
        }
    }

    static class Guest extends Thread {
        final Tables tables;
        final Hatch hatch;
        final Till till;
        final Random random;
        final AtomicInteger plates = new AtomicInteger();

        Guest(Tables tables, Hatch hatch, Till till, int seed) {
            this.tables = tables;
            this.hatch = hatch;
            this.till = till;
            this.random = new Random(seed);
            setDaemon(true);
        }

        @Override
        public void run() {
            while (problem == null) {
                int table = tables.beSeated(this);
                if (seated.incrementAndGet() > 4) {
                    problem = "five guests at four tables";
                }
                for (int course = 0; course < 3; course++) {
                    hatch.order(this);
                    till.pay(10);
                }
                while (plates.get() < 3) {
                    pause(1);
                }
                plates.set(0);
                seated.decrementAndGet();
                tables.leave(this, table);
                served.incrementAndGet();
                pause(random.nextInt(3));
            }
        }
    }

    static class Cook extends Thread {
        final Hatch hatch;
        final Random random;

        Cook(Hatch hatch, int seed) {
            this.hatch = hatch;
            this.random = new Random(seed);
            setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                Guest guest = hatch.nextOrder();
                pause(random.nextInt(5));
                if (guest.plates.incrementAndGet() > 3) {
                    problem = "a plate too many";
                }
            }
        }
    }

    static volatile String problem;
    static final AtomicInteger seated = new AtomicInteger();
    static final AtomicLong served = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Tables tables = new Tables();
        Hatch hatch = new Hatch();
        Till till = new Till();
        for (int i = 0; i < 7; i++) {
            new Guest(tables, hatch, till, i).start();
        }
        for (int i = 0; i < 2; i++) {
            new Cook(hatch, 100 + i).start();
        }
        System.out.println("READY");
        while (System.currentTimeMillis() < end) {
            Thread.sleep(5);
            if (!till.count(10)) {
                problem = "the till does not add up";
            }
        }
        if (problem != null) {
            System.out.println(problem);
            System.exit(1);
        }
        System.out.println("DONE " + served);
    }
}
