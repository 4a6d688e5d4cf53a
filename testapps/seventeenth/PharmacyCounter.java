// @lock PharmacyCounter$Till
// @type LOCK reentrant=true
// @role lock PharmacyCounter$Till.open
// @role unlock PharmacyCounter$Till.close
//
// @lock PharmacyCounter$Tray
// @type PRODUCER-CONSUMER capacity=5
// @role put PharmacyCounter$Tray.place
// @role take PharmacyCounter$Tray.pick

/** A pharmacy: doctors' offices send prescriptions over a small tray, pharmacists pick them and book them in one till. */
public class PharmacyCounter {
    /** The till: whoever has it open may open it again (a refund within a sale). */
    static final class Till {
        private Thread cashier;
        private int depth;
        private long cents;
        private long booked;

        synchronized void open() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (cashier != null && cashier != me) {
                wait();
            }
            cashier = me;
            depth++;
        }

        synchronized void close() {
            if (cashier != Thread.currentThread()) {
                throw new IllegalStateException("till closed by a stranger");
            }
            if (--depth == 0) {
                cashier = null;
                notify();
            }
        }

        void sale(int price, boolean copayment) throws InterruptedException {
            open();
            try {
                cents += price;
                Thread.sleep(2);
                booked += price;
                if (copayment) {
                    refund(price / 10);
                }
                if (cents != booked) {
                    throw new IllegalStateException("till does not balance");
                }
            } finally {
                close();
            }
        }

        void refund(int amount) throws InterruptedException {
            open();
            try {
                cents -= amount;
                booked -= amount;
            } finally {
                close();
            }
        }
    }

    static final class Tray {
        private final int[] slots = new int[5];
        private int head;
        private int used;

        synchronized void place(int prescription) throws InterruptedException {
            while (used == slots.length) {
                wait();
            }
            slots[(head + used) % slots.length] = prescription;
            used++;
            notifyAll();
        }

        synchronized int pick() throws InterruptedException {
            while (used == 0) {
                wait();
            }
            int p = slots[head];
            if (p == 0) {
                throw new IllegalStateException("empty slot handed out");
            }
            slots[head] = 0;
            head = (head + 1) % slots.length;
            used--;
            notifyAll();
            return p;
        }
    }

    static volatile Throwable trouble;
    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void staff(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.run();
                }
            } catch (Throwable e) {
                trouble = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Till till = new Till();
        Tray tray = new Tray();
        for (int i = 0; i < 2; i++) {
            staff("office-" + i, () -> {
                java.util.concurrent.ThreadLocalRandom r = java.util.concurrent.ThreadLocalRandom.current();
                int burst = r.nextInt(2, 12);
                for (int k = 0; k < burst; k++) {
                    tray.place(r.nextInt(100, 9000));
                }
                Thread.sleep(r.nextInt(10, 40));
            });
        }
        for (int i = 0; i < 3; i++) {
            staff("pharmacist-" + i, () -> {
                int p = tray.pick();
                Thread.sleep(1);
                till.sale(p, p % 3 == 0);
                ops.incrementAndGet();
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && trouble == null) {
            Thread.sleep(20);
        }
        if (trouble != null) {
            System.out.println("BROKEN " + trouble);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }
}
