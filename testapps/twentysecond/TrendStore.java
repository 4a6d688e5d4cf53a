// @lock TrendStore
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock TrendStore.beginRead
// @role read-unlock TrendStore.endRead
// @role write-lock TrendStore.beginWrite
// @role write-unlock TrendStore.endWrite
// @role wait TrendStore.awaitSample
// @role notify TrendStore.endWrite

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Trend data of a control room: curves read it, collectors write it, under a read-write lock; limit checkers wait on the same monitor for the sample number they need next. */
public class TrendStore {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    private int readers;
    private boolean writer;
    private long samples;
    private final long[] low = new long[4], high = {10, 10, 10, 10};

    private boolean idle() {
        return !writer && readers == 0;
    }

    synchronized void beginRead() throws InterruptedException {
        while (writer) wait();
        readers++;
    }

    synchronized void endRead() {
        readers--;
        if (idle()) notifyAll();
    }

    synchronized void beginWrite() throws InterruptedException {
        while (!idle()) wait();
        writer = true;
    }

    synchronized void endWrite() {
        writer = false;
        samples++;
        notifyAll();
    }

    /** Does not keep anybody from writing. */
    synchronized long awaitSample(long n) throws InterruptedException {
        while (samples < n) wait();
        return samples;
    }

    void curve() throws InterruptedException {
        while (!stop) {
            beginRead();
            int i = ThreadLocalRandom.current().nextInt(4);
            long l = low[i];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (high[i] != l + 10) broken = "band torn";
            endRead();
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
        }
    }

    void collector() throws InterruptedException {
        while (!stop) {
            beginWrite();
            int i = ThreadLocalRandom.current().nextInt(4);
            low[i] = ThreadLocalRandom.current().nextInt();
            Thread.sleep(1);
            high[i] = low[i] + 10;
            endWrite();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
        }
    }

    void limitChecker(int step) throws InterruptedException {
        long n = 0;
        while (!stop) {
            long got = awaitSample(n += step);
            if (got < n) broken = "checked too early";
            n = got;
            ops.incrementAndGet();
        }
    }

    interface Body { void run() throws InterruptedException; }

    static void start(Body b) {
        Thread t = new Thread(() -> {
            try { b.run(); } catch (InterruptedException e) { broken = "interrupted"; }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        TrendStore s = new TrendStore();
        for (int i = 0; i < 5; i++) start(s::curve);
        for (int i = 0; i < 2; i++) {
            int step = 1 + i * 2;
            start(s::collector);
            start(() -> s.limitChecker(step));
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
