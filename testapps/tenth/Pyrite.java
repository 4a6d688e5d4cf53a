// @lock Pyrite$Lanes
// @type SEMAPHORE permits=3
// @role acquire Pyrite$Lanes.join
// @role release Pyrite$Lanes.part
//
// @lock Pyrite$Bundle
// @type LATCH count=4
// @role count-down Pyrite$Bundle.received
// @role await Pyrite$Bundle.whole
//
// @lock Pyrite$Books
// @type MUTEX
// @role enter Pyrite$Books.enter
// @role enter Pyrite$Books.total

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Downloads in four pieces: pieces pass over three lanes, a file is there when all its pieces are, and every piece is booked by host. */
public final class Pyrite {
    /** Counts up, as those do who think of how many are driving rather than of how many may still come. */
    static class Lanes {
        private final int lanes;
        private int driving;
        private int queueing;

        Lanes(int lanes) {
            this.lanes = lanes;
        }

        void join() throws InterruptedException {
            synchronized (this) {
                if (driving >= lanes) {
                    queueing++;
                    try {
                        do {
                            wait();
                        } while (driving >= lanes);
                    } finally {
                        queueing--;
                    }
                }
                driving++;
            }
        }

        void part() {
            synchronized (this) {
                driving--;
                if (queueing > 0) {
                    notify();
                }
            }
        }
    }

    static final class Bundle {
        private final BitSet pieces = new BitSet();
        private int bytes;

        synchronized void received(int piece, int size) {
            if (pieces.get(piece)) {
                throw new IllegalStateException("piece " + piece + " came twice");
            }
            pieces.set(piece);
            bytes += size;
            if (pieces.cardinality() == 4) {
                notifyAll();
            }
        }

        synchronized int whole() throws InterruptedException {
            while (pieces.nextClearBit(0) < 4) {
                wait();
            }
            return bytes;
        }
    }

    static final class Books {
        private final Map<String, Long> byHost = new HashMap<>();
        private long all;

        synchronized void enter(String host, int size) throws InterruptedException {
            all += size;
            Thread.sleep(1);
            byHost.merge(host, (long) size, Long::sum);
        }

        synchronized long total() {
            long sum = 0;
            for (long n : byHost.values()) {
                sum += n;
            }
            return sum == all ? sum : -1;
        }
    }

    static final class Piece {
        final Bundle bundle;
        final int number;
        final int size;

        Piece(Bundle bundle, int number, int size) {
            this.bundle = bundle;
            this.number = number;
            this.size = size;
        }
    }

    private static final Lanes lanes = new Lanes(3);
    private static final Books books = new Books();
    private static final Queue<Piece> pending = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger onLanes = new AtomicInteger();
    private static final AtomicLong ops = new AtomicLong();
    private static volatile String failure;

    private static void fetch() throws InterruptedException {
        Piece piece = pending.poll();
        if (piece == null) {
            Thread.sleep(1);
            return;
        }
        lanes.join();
        try {
            if (onLanes.incrementAndGet() > 3) {
                failure = "four on three lanes";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        } finally {
            onLanes.decrementAndGet();
            lanes.part();
        }
        books.enter("host-" + piece.size % 5, piece.size);
        piece.bundle.received(piece.number, piece.size);
    }

    private static void download() throws InterruptedException {
        Bundle bundle = new Bundle();
        int expected = 0;
        for (int i = 0; i < 4; i++) {
            int size = ThreadLocalRandom.current().nextInt(100, 1000);
            expected += size;
            pending.add(new Piece(bundle, i, size));
        }
        if (bundle.whole() != expected) {
            failure = "a file with a hole";
        }
        if (books.total() < 0) {
            failure = "the books do not balance";
        }
        ops.incrementAndGet();
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static void start(String name, Body body) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    while (failure == null) {
                        body.run();
                    }
                } catch (InterruptedException | IllegalStateException e) {
                    failure = name + ": " + e;
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 7; i++) {
            start("fetcher-" + i, Pyrite::fetch);
        }
        for (int i = 0; i < 5; i++) {
            start("download-" + i, Pyrite::download);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
