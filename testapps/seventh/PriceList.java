// @lock PriceList$Gate
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock PriceList$Gate.beginRead
// @role read-unlock PriceList$Gate.endRead
// @role write-lock PriceList$Gate.beginWrite
// @role write-unlock PriceList$Gate.endWrite

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A price list read by tills and changed by head office; once a change is announced no till starts reading. */
public final class PriceList {
    /** Who is in and who would like to be: no lock of its own. */
    private static final class Census {
        private int reading;
        private int wantToWrite;
        private boolean writing;

        boolean mayRead() {
            return !writing && wantToWrite == 0;
        }

        boolean mayWrite() {
            return !writing && reading == 0;
        }
    }

    static final class Gate {
        private final Census census = new Census();

        synchronized void beginRead() throws InterruptedException {
            while (!census.mayRead()) {
                wait();
            }
            census.reading++;
        }

        synchronized void endRead() {
            census.reading--;
            if (census.mayWrite()) {
                notifyAll();
            }
        }

        synchronized void beginWrite() throws InterruptedException {
            census.wantToWrite++;
            boolean in = false;
            try {
                while (!census.mayWrite()) {
                    wait();
                }
                census.writing = true;
                in = true;
            } finally {
                census.wantToWrite--;
                if (!in) {
                    notifyAll();
                }
            }
        }

        synchronized void endWrite() {
            census.writing = false;
            notifyAll();
        }
    }

    private final Gate gate = new Gate();
    private final int[] net = new int[40];
    private final int[] gross = new int[40];

    private int read(int item) throws InterruptedException {
        gate.beginRead();
        try {
            int n = net[item];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            broken |= gross[item] != n + n / 5;
            return n;
        } finally {
            gate.endRead();
        }
    }

    private void change(int item, int price) throws InterruptedException {
        gate.beginWrite();
        try {
            net[item] = price;
            Thread.sleep(1);
            gross[item] = price + price / 5;
        } finally {
            gate.endWrite();
        }
    }

    private static volatile boolean stop;
    private static volatile boolean broken;
    private static final AtomicLong ops = new AtomicLong();

    private void work(boolean office) {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            while (!stop) {
                int item = dice.nextInt(net.length);
                if (office) {
                    change(item, dice.nextInt(10_000));
                    Thread.sleep(dice.nextInt(4, 12));
                } else {
                    read(item);
                    Thread.sleep(dice.nextInt(1, 4));
                }
                ops.incrementAndGet();
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PriceList list = new PriceList();
        Thread[] threads = new Thread[7];
        for (int i = 0; i < threads.length; i++) {
            boolean office = i < 2;
            threads[i] = new Thread(() -> list.work(office), (office ? "office-" : "till-") + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : threads) {
            t.join(5_000);
            broken |= t.isAlive();
        }
        if (broken) {
            throw new IllegalStateException("half a change was read, or somebody never got in");
        }
        System.out.println("DONE " + ops);
    }
}
