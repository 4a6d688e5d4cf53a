// @lock java.lang.Class#credit
// @type MUTEX
// @role enter LoyaltyPoints.credit
// @role enter LoyaltyPoints.redeem
// @role enter LoyaltyPoints.audit
// @lock Till
// @type LOCK+CONDITION reentrant=false
// @role lock Till.occupy
// @role unlock Till.leave
// @role wait Till.awaitPickup
// @role notify Till.takeMoney

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class LoyaltyPoints {
    private static final Map<Integer, Integer> POINTS = new HashMap<>();
    private static long issued, spent;
    private static boolean frozen;
    private static String lastCustomer;

    static synchronized void credit(int customer, int points) throws InterruptedException {
        if (frozen || points <= 0) return;
        Integer old = POINTS.get(customer);
        issued += points;
        Thread.sleep(1); // the points server
        POINTS.put(customer, old == null ? points : old + points);
        lastCustomer = "c" + customer;
    }

    static synchronized boolean redeem(int customer, int points) throws InterruptedException {
        Integer old = POINTS.get(customer);
        if (old == null || old < points) return false;
        POINTS.put(customer, old - points);
        Thread.sleep(1);
        spent += points;
        return true;
    }

    static synchronized boolean audit() {
        long sum = 0;
        for (int p : POINTS.values()) sum += p;
        return sum == issued - spent;
    }

    static synchronized String lastCustomer() { return lastCustomer; }
}

/** A till used by one cashier at a time; the money courier waits until there is enough in it. */
class Till {
    private String cashier;
    private int waitingCashiers;
    private long inDrawer;
    private boolean courierTold;
    private final List<Long> slips = new ArrayList<>();
    private long sales;

    synchronized void occupy(String name) throws InterruptedException {
        if (name.equals(cashier)) throw new IllegalStateException(name + " is at the till");
        waitingCashiers++;
        try {
            while (cashier != null) wait();
        } finally {
            waitingCashiers--;
        }
        cashier = name;
    }

    synchronized void leave(String name) {
        if (!name.equals(cashier)) throw new IllegalStateException(name + " is not at the till");
        cashier = null;
        if (waitingCashiers > 0) notifyAll();
    }

    synchronized void takeMoney(String name, long cents) {
        if (!name.equals(cashier)) throw new IllegalStateException("who is " + name);
        inDrawer += cents;
        slips.add(cents);
        sales++;
        if (inDrawer >= 5000 && !courierTold) {
            courierTold = true;
            notifyAll();
        }
    }

    synchronized long awaitPickup() throws InterruptedException {
        while (inDrawer < 5000) wait();
        long sum = 0;
        for (long s : slips) sum += s;
        if (sum != inDrawer) return -1;
        slips.clear();
        inDrawer = 0;
        courierTold = false;
        return sum;
    }
}

public class LoyaltyTill {
    static volatile String bad;
    static final AtomicLong ops = new AtomicLong();

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok && bad == null) bad = what; }

    static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { body.run(); ops.incrementAndGet(); }
            } catch (Throwable e) {
                check(false, name + " died: " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
    static volatile String at;

    public static void main(String[] v) throws Exception {
        Till till = new Till();
        for (int i = 0; i < 4; i++) {
            String me = "cashier-" + i;
            int shift = i;
            spawn(me, () -> {
                till.occupy(me);
                try {
                    check(at == null, "two at the till");
                    at = me;
                    for (int k = ThreadLocalRandom.current().nextInt(1, 4); k > 0; k--) {
                        till.takeMoney(me, ThreadLocalRandom.current().nextInt(200, 2500));
                        pause(1, 2);
                    }
                    at = null;
                } finally {
                    till.leave(me);
                }
                int c = ThreadLocalRandom.current().nextInt(30);
                LoyaltyPoints.credit(c, shift + 3);
                LoyaltyPoints.redeem(c, 4);
                pause(1, 5);
            });
        }
        for (int i = 0; i < 2; i++)
            spawn("app-" + i, () -> {
                LoyaltyPoints.redeem(ThreadLocalRandom.current().nextInt(30), 1);
                check(LoyaltyPoints.audit(), "points lost near " + LoyaltyPoints.lastCustomer());
                pause(1, 4);
            });
        spawn("courier", () -> check(till.awaitPickup() >= 5000, "slips and drawer differ"));
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && bad == null) Thread.sleep(40);
        check(ops.get() > 0, "no progress");
        if (bad != null) {
            System.out.println("FAILED " + bad);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
