// @lock ForkScan$Scanner
// @type JOIN
// @role join ForkScan$Scanner.outcome
//
// @lock ForkScan$IndexState
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock ForkScan.search
// @role read-unlock ForkScan.search
// @role write-lock ForkScan.beginUpdate
// @role write-unlock ForkScan.endUpdate

import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A file index: scanners fork a thread for one half of a folder and wait for its end; what they find is put into an index that others search. */
public class ForkScan {
    /** Below the top bit the number of searches, the top bit for an update. */
    private static class IndexState {
        static final int UPDATE = 1 << 30;
        int bits;
    }

    private final IndexState state = new IndexState();
    private final TreeMap<Integer, Long> sizes = new TreeMap<Integer, Long>();
    private long total;

    static class Scanner extends Thread {
        private final int from;
        private final int to;
        private long bytes;

        Scanner(int from, int to) {
            super("scan-" + from + "-" + to);
            this.from = from;
            this.to = to;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                bytes = scan(from, to);
            } catch (InterruptedException e) {
                bytes = -1;
            }
        }

        static long scan(int from, int to) throws InterruptedException {
            if (to - from <= 4) {
                sleep(ThreadLocalRandom.current().nextInt(1, 4));
                long sum = 0;
                for (int i = from; i < to; i++) {
                    sum += i;
                }
                return sum;
            }
            int middle = (from + to) >>> 1;
            Scanner right = new Scanner(middle, to);
            right.start();
            long left = scan(from, middle);
            return left + right.outcome(10_000);
        }

        /** What the scanner found, once its thread has ended. */
        synchronized long outcome(long maxMillis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + maxMillis;
            while (isAlive()) {
                long delay = deadline - System.currentTimeMillis();
                if (delay <= 0) {
                    throw new IllegalStateException(getName() + " does not end");
                }
                wait(delay);
            }
            return bytes;
        }
    }

    boolean search(int key) throws InterruptedException {
        synchronized (state) {
            while ((state.bits & IndexState.UPDATE) != 0) {
                state.wait();
            }
            state.bits++;
        }
        long sum = 0;
        for (long size : sizes.values()) {
            sum += size;
        }
        boolean whole = sum == total;
        boolean found = whole && sizes.containsKey(key);
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
        synchronized (state) {
            if (--state.bits == 0) {
                state.notifyAll();
            }
        }
        if (!whole) {
            failure = "a search saw half an update";
        }
        return found;
    }

    private void beginUpdate() throws InterruptedException {
        synchronized (state) {
            while (state.bits != 0) {
                state.wait();
            }
            state.bits = IndexState.UPDATE;
        }
    }

    private void endUpdate() {
        synchronized (state) {
            state.bits = 0;
            state.notifyAll();
        }
    }

    void put(int folder, long bytes) throws InterruptedException {
        beginUpdate();
        try {
            Long old = sizes.put(folder, bytes);
            Thread.sleep(1);
            total += bytes - (old == null ? 0 : old);
        } finally {
            endUpdate();
        }
    }

    private static final AtomicLong scans = new AtomicLong();
    private static volatile String failure;

    void scanner(int folder) {
        try {
            while (failure == null) {
                int files = ThreadLocalRandom.current().nextInt(6, 15);
                long bytes = Scanner.scan(0, files);
                if (bytes != (long) files * (files - 1) / 2) {
                    failure = "a half was not scanned to its end";
                }
                put(folder, bytes);
                scans.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            failure = e.getMessage();
        }
    }

    void searcher() {
        try {
            while (failure == null) {
                int key = ThreadLocalRandom.current().nextInt(8);
                if (search(key) && key >= 3) {
                    failure = "found what was never put";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        final ForkScan index = new ForkScan();
        for (int i = 0; i < 3; i++) {
            final int folder = i;
            Thread t = new Thread(() -> index.scanner(folder), "folder-" + i);
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(index::searcher, "searcher-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + scans);
    }
}
