// @lock NightBatch$Assembly
// @type BARRIER parties=4
// @role arrive NightBatch$Assembly.meet
// @lock NightBatch$Preflight
// @type LATCH count=3
// @role count-down NightBatch$Preflight.checked
// @role await NightBatch$Preflight.awaitAll

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/** Four workers settle one ledger page after the other in step; before each file, three feeders report their source checked. */
public final class NightBatch {
    static final int WORKERS = 4;
    static final int FEEDERS = 3;

    static final class Assembly {
        private int missing = WORKERS;
        private Object round = new Object();
        private final Runnable whenAll;

        Assembly(Runnable whenAll) {
            this.whenAll = whenAll;
        }

        synchronized void meet() throws InterruptedException {
            Object mine = round;
            if (--missing == 0) {
                whenAll.run();
                missing = WORKERS;
                round = new Object();
                notifyAll();
                return;
            }
            while (mine == round) {
                wait();
            }
        }
    }

    static final class Preflight {
        private final AtomicReference<Preflight> next = new AtomicReference<>();
        private int open = FEEDERS;

        synchronized void checked() {
            if (open > 0 && --open == 0) {
                notifyAll();
            }
        }

        synchronized void awaitAll() throws InterruptedException {
            while (open > 0) {
                wait();
            }
        }

        Preflight following() {
            next.compareAndSet(null, new Preflight());
            return next.get();
        }
    }

    private final AtomicIntegerArray page = new AtomicIntegerArray(WORKERS);
    private final AtomicIntegerArray checks = new AtomicIntegerArray(FEEDERS);
    private volatile boolean dawn;
    private volatile boolean lastPage;
    private volatile String error;
    private final Assembly assembly = new Assembly(() -> lastPage = dawn);

    private void worker(int me) {
        try {
            do {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 12));
                int mine = page.incrementAndGet(me);
                assembly.meet();
                for (int i = 0; i < WORKERS; i++) {
                    int other = page.get(i);
                    if (other < mine || other > mine + 1) {
                        error = "worker " + i + " is on page " + other + ", not " + mine;
                    }
                }
            } while (!lastPage);
        } catch (InterruptedException e) {
            error = "interrupted";
        }
    }

    private void feeder(int me, Preflight first) {
        try {
            for (Preflight p = first; !dawn; p = p.following()) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 15));
                checks.incrementAndGet(me);
                p.checked();
                p.awaitAll();
            }
        } catch (InterruptedException e) {
            error = "interrupted";
        }
    }

    private int files;

    private void operator(Preflight first) {
        try {
            for (Preflight p = first; ; p = p.following()) {
                p.awaitAll();
                files++;
                for (int i = 0; i < FEEDERS; i++) {
                    if (checks.get(i) < files) {
                        error = "feeder " + i + " had not checked file " + files;
                    }
                }
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            // home
        }
    }

    private static Thread start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        NightBatch batch = new NightBatch();
        Preflight first = new Preflight();
        Thread[] workers = new Thread[WORKERS];
        for (int i = 0; i < WORKERS; i++) {
            int n = i;
            workers[i] = start("worker-" + i, () -> batch.worker(n));
        }
        for (int i = 0; i < FEEDERS; i++) {
            int n = i;
            start("feeder-" + i, () -> batch.feeder(n, first));
        }
        Thread operator = start("operator", () -> batch.operator(first));
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        batch.dawn = true;
        for (Thread t : workers) {
            t.join(10_000);
        }
        operator.interrupt();
        operator.join(10_000);
        if (batch.error != null) {
            System.out.println(batch.error);
            System.exit(1);
        }
        System.out.println("DONE " + (batch.page.get(0) + batch.files));
    }
}
