// @lock LoanDesk$Fleet
// @type SEMAPHORE+CONDITION permits=4
// @role acquire LoanDesk$Fleet.borrow
// @role release LoanDesk$Fleet.giveBack
// @role wait LoanDesk$Fleet.awaitAllHome
// @role notify LoanDesk$Fleet.giveBack

import java.util.concurrent.atomic.AtomicLong;

/** A company lends four cars in waves; the mechanic waits for a moment at which all of them are home. */
public class LoanDesk {
    static volatile String incident;
    static final AtomicLong loans = new AtomicLong();
    static final AtomicLong inspections = new AtomicLong();

    static class Fleet {
        private final boolean[] out = new boolean[4];

        private int home() {
            int n = 0;
            for (boolean b : out) {
                if (!b) {
                    n++;
                }
            }
            return n;
        }

        synchronized int borrow() throws InterruptedException {
            while (home() == 0) {
                wait();
            }
            int i = 0;
            while (out[i]) {
                i++;
            }
            out[i] = true;
            return i;
        }

        synchronized void giveBack(int i) {
            if (!out[i]) {
                incident = "car " + i + " came home twice";
            }
            out[i] = false;
            notifyAll();
        }

        synchronized void awaitAllHome() throws InterruptedException {
            while (home() < out.length) {
                wait();
            }
        }
    }

    /** Sleeps until the next wave, plus some. */
    static void nextWave(long offset) throws InterruptedException {
        long now = System.currentTimeMillis();
        Thread.sleep(24 - (now + 24 - offset) % 24);
    }

    static class Employee implements Runnable {
        private final Fleet fleet;
        private final int[] odometer;

        Employee(Fleet f, int[] odometer) {
            fleet = f;
            this.odometer = odometer;
        }

        @Override
        public void run() {
            try {
                while (incident == null) {
                    nextWave(0);
                    int car = fleet.borrow();
                    int km = odometer[car];
                    Thread.sleep(4);
                    if (odometer[car] != km) {
                        incident = "somebody else drove";
                    }
                    odometer[car] = km + 1;
                    fleet.giveBack(car);
                    loans.incrementAndGet();
                }
            } catch (InterruptedException e) {
                incident = "employee interrupted";
            }
        }
    }

    static class Mechanic implements Runnable {
        private final Fleet fleet;

        Mechanic(Fleet f) {
            fleet = f;
        }

        @Override
        public void run() {
            try {
                while (incident == null) {
                    nextWave(2);
                    fleet.awaitAllHome();
                    inspections.incrementAndGet();
                }
            } catch (InterruptedException e) {
                incident = "mechanic interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Fleet fleet = new Fleet();
        int[] odometer = new int[4];
        for (int i = 0; i < 9; i++) {
            Runnable r = i < 7 ? new Employee(fleet, odometer) : new Mechanic(fleet);
            Thread t = new Thread(r, r.getClass().getSimpleName() + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long last = -1;
        while (System.nanoTime() < end && incident == null) {
            Thread.sleep(500);
            if (inspections.get() == last) {
                incident = "never all home";
            }
            last = inspections.get();
        }
        if (incident != null) {
            System.out.println(incident);
            System.exit(1);
        }
        System.out.println("DONE " + loans);
    }
}
