// @lock AssayStages$Stage
// @type BARRIER form=phaser
// @role arrive AssayStages$Stage.arriveAndAwait
// @lock java.lang.Class
// @type MUTEX
// @role enter AssayStages$Serial.next
// @role enter AssayStages$Serial.retire

import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Three fixed probes and some that come and go take the stages of an assay together. */
public final class AssayStages {
    static final class Stage {
        private int members;
        private int here;
        private int number;

        synchronized int join() {
            members++;
            return number;
        }

        /** @return the number of the stage that now begins */
        synchronized int arriveAndAwait() throws InterruptedException {
            int now = number;
            here++;
            if (!advanceIfComplete()) {
                do {
                    wait();
                } while (number == now);
            }
            return now + 1;
        }

        synchronized void leave() {
            members--;
            advanceIfComplete();
        }

        private boolean advanceIfComplete() {
            if (here < members) {
                return false;
            }
            here = 0;
            number++;
            notifyAll();
            return true;
        }
    }

    /** Numbers for the tubes; the lowest that is free. */
    static final class Serial {
        private static final BitSet taken = new BitSet();

        private Serial() {
        }

        static synchronized int next() throws InterruptedException {
            int n = taken.nextClearBit(0);
            Thread.sleep(1);                    // as the label printer has it
            if (taken.get(n)) {
                throw new IllegalStateException("number " + n + " twice");
            }
            taken.set(n);
            return n;
        }

        static synchronized void retire(int n) throws InterruptedException {
            Thread.sleep(1);
            if (!taken.get(n)) {
                throw new IllegalStateException("number " + n + " was never given");
            }
            taken.clear(n);
        }
    }

    private final Stage stage = new Stage();
    private final AtomicInteger current = new AtomicInteger();
    private final AtomicLong tubes = new AtomicLong();
    private volatile Throwable failure;

    private void step(int expected) throws InterruptedException {
        int tube = Serial.next();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        Serial.retire(tube);
        tubes.incrementAndGet();
        int reached = stage.arriveAndAwait();
        if (reached != expected + 1) {
            throw new IllegalStateException("stage " + reached + " after " + expected);
        }
        int c = current.get();
        if (c > reached) {
            throw new IllegalStateException("somebody is at stage " + c + ", I am at " + reached);
        }
        current.compareAndSet(c, reached);
    }

    private void permanent(int at) throws InterruptedException {
        for (;; at++) {
            step(at);
        }
    }

    private void guest() throws InterruptedException {
        for (;;) {
            int at = stage.join();
            for (int i = 0; i < 4; i++) {
                step(at + i);
            }
            stage.leave();
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 25));
        }
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private void start(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException | RuntimeException e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AssayStages assay = new AssayStages();
        int[] at = new int[3];
        for (int i = 0; i < 3; i++) {
            at[i] = assay.stage.join();
        }
        for (int i = 0; i < 3; i++) {
            int first = at[i];
            assay.start("probe-" + i, () -> assay.permanent(first));
        }
        assay.start("guest-a", assay::guest);
        assay.start("guest-b", assay::guest);
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (assay.failure != null) {
            assay.failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + assay.tubes);
    }
}
