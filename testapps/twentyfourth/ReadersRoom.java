// First readers-writers problem (Courtois): readers go first. The room's visitor statistics share its monitor.
// @lock ReadersRoom
// @type READ-WRITE+MUTEX preference=readers reentrant=false
// @role read-lock ReadersRoom.enterReader
// @role read-unlock ReadersRoom.leaveReader
// @role write-lock ReadersRoom.enterWriter
// @role write-unlock ReadersRoom.leaveWriter
// @role enter ReadersRoom.stamp
// @role enter ReadersRoom.report

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class ReadersRoom {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    private enum State { EMPTY, READING, WRITING }

    private State state = State.EMPTY;
    private int readers;
    private final int[] stamps = new int[24];
    private int stamped;

    private int left;
    private int right;

    synchronized void enterReader() throws InterruptedException {
        while (state == State.WRITING) {
            wait();
        }
        state = State.READING;
        readers++;
    }

    synchronized void leaveReader() {
        if (--readers == 0) {
            state = State.EMPTY;
            notifyAll();
        }
    }

    synchronized void enterWriter() throws InterruptedException {
        while (state != State.EMPTY) {
            wait();
        }
        state = State.WRITING;
    }

    synchronized void leaveWriter() {
        state = State.EMPTY;
        notifyAll();
    }

    /** The porter stamps a card for every visitor; he takes his time. */
    synchronized void stamp(int hour) throws InterruptedException {
        stamps[hour]++;
        Thread.sleep(1);
        stamped++;
    }

    synchronized int report() throws InterruptedException {
        int sum = 0;
        for (int s : stamps) {
            sum += s;
        }
        check(sum == stamped, "stamps");
        Thread.sleep(1);
        return sum;
    }

    void read() throws InterruptedException {
        enterReader();
        try {
            int before = left;
            nap(4);
            check(left == before && right == before, "edited while read");
        } finally {
            leaveReader();
        }
        OPS.incrementAndGet();
        nap(14);
        if (dice(3) == 0) {
            stamp(dice(24));
        }
    }

    void write() throws InterruptedException {
        nap(9);
        enterWriter();
        try {
            left++;
            nap(5);
            right++;
        } finally {
            leaveWriter();
        }
        stamp(dice(24));
    }

    public static void main(String[] args) throws InterruptedException {
        ReadersRoom room = new ReadersRoom();
        for (int i = 0; i < 3; i++) {
            go("reader-" + i, room::read);
        }
        for (int i = 0; i < 2; i++) {
            go("writer-" + i, room::write);
        }
        go("porter", () -> {
            nap(8);
            room.stamp(dice(24));
        });
        go("chief", () -> {
            nap(12);
            room.report();
        });
        finish(args);
    }
}
