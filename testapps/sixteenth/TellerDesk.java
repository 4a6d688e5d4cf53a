// @lock AccountService
// @type MUTEX
// @role enter AccountService.transfer
// @role enter AccountService.grandTotal
// @role enter AccountService.lastBookings
// @lock ApprovalDesk
// @type SEMAPHORE permits=3
// @role acquire ApprovalDesk.requestOfficer
// @role release ApprovalDesk.officerFree

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The account service of a branch; large transfers need one of three officers to look at them. */
class AccountService {
    interface BookingListener { void booked(int from, int to, long cents); }

    private final long[] balance = new long[12];
    private final List<String> journal = new ArrayList<>();
    private final List<BookingListener> listeners = new ArrayList<>();
    private long bookings;
    private long refused;
    private String lastError;

    AccountService() { Arrays.fill(balance, 100_000); }

    synchronized void addListener(BookingListener l) { if (l != null && !listeners.contains(l)) listeners.add(l); }

    synchronized boolean transfer(int from, int to, long cents, String memo) throws InterruptedException {
        if (from == to) {
            lastError = "same account";
            return false;
        }
        if (balance[from] < cents) {
            refused++;
            lastError = "balance of " + from + " is " + balance[from];
            return false;
        }
        balance[from] -= cents;
        try {
            journal.add(from + ">" + to + ":" + cents + (memo == null ? "" : " " + memo));
            Thread.sleep(1); // the journal goes to the disk before anybody may see the money
        } finally {
            balance[to] += cents;
        }
        if (journal.size() > 40) journal.subList(0, 20).clear();
        bookings++;
        for (BookingListener l : listeners) l.booked(from, to, cents);
        return true;
    }

    synchronized long grandTotal() throws InterruptedException {
        long sum = 0;
        for (long b : balance) sum += b;
        Thread.sleep(1);
        for (long b : balance) sum += b;
        return sum / 2;
    }

    synchronized List<String> lastBookings() {
        if (journal.isEmpty()) return Collections.emptyList();
        return new ArrayList<>(journal.subList(Math.max(0, journal.size() - 5), journal.size()));
    }

    synchronized String status() { return bookings + "/" + refused + (lastError != null ? " " + lastError : ""); }
}

class ApprovalDesk {
    private int busyOfficers;
    private int waitingCustomers, longestLine;
    private long approvals, turnedAway;
    private boolean closing;
    private final Map<String, Integer> perTeller = new HashMap<>();

    /** False: closed, or nobody had time. */
    synchronized boolean requestOfficer(String teller, long maxMillis) {
        if (closing) return false;
        long until = System.currentTimeMillis() + maxMillis;
        waitingCustomers++;
        if (waitingCustomers > longestLine) longestLine = waitingCustomers;
        try {
            while (noOfficer()) {
                long left = until - System.currentTimeMillis();
                if (left <= 0) {
                    turnedAway++;
                    return false;
                }
                wait(left);
                if (closing) return false;
            }
            busyOfficers++;
            Integer n = perTeller.get(teller);
            perTeller.put(teller, n == null ? 1 : n + 1);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waitingCustomers--;
        }
    }

    private boolean noOfficer() { return busyOfficers >= 3; }

    synchronized void officerFree(boolean approved) {
        busyOfficers--;
        if (approved) approvals++;
        if (waitingCustomers > 0) notifyAll();
    }

    synchronized void close() {
        closing = true;
        notifyAll();
    }
}

public class TellerDesk {
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
    public static void main(String[] v) throws Exception {
        AccountService service = new AccountService();
        ApprovalDesk desk = new ApprovalDesk();
        AtomicLong seen = new AtomicLong();
        AtomicLong atDesk = new AtomicLong();
        service.addListener((a, b, c) -> seen.addAndGet(c));
        for (int i = 0; i < 7; i++) {
            String me = "teller-" + i;
            spawn(me, () -> {
                ThreadLocalRandom r = ThreadLocalRandom.current();
                long cents = r.nextLong(1, 900);
                if (cents > 300) {
                    if (!desk.requestOfficer(me, 500)) return;
                    boolean fine = false;
                    try {
                        check(atDesk.incrementAndGet() <= 3, "four officers");
                        pause(4, 9);
                        fine = r.nextInt(10) > 0;
                    } finally {
                        atDesk.decrementAndGet();
                        desk.officerFree(fine);
                    }
                    if (!fine) return;
                }
                service.transfer(r.nextInt(12), r.nextInt(12), cents, r.nextBoolean() ? null : me);
                pause(1, 3);
            });
        }
        spawn("auditor", () -> {
            check(service.grandTotal() == 1_200_000, "money lost: " + service.status());
            check(service.lastBookings().size() <= 5, "journal");
            pause(3, 6);
        });
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
