// @lock TrainBus$k2
// @type DELAY
// @role delay TrainBus$k1.m1
//
// @lock TrainBus$k3
// @type CONDITION
// @role wait TrainBus$k3.m1
// @role wait TrainBus$k3.m2
// @role notify TrainBus$k3.m2
// @role notify TrainBus$k3.m3
//
// @lock TrainBus$k4
// @type NOT-SHARED
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Doors of a train: leaves move only while the train stands and is released on their side; sensors are sampled at a pace kept by timed waits on an object of their own. */
public class TrainBus {
    static volatile boolean v1;
    static volatile String v2;
    static final AtomicLong v3 = new AtomicLong();
    static final AtomicIntegerArray v4 = new AtomicIntegerArray(2);

    abstract static class k1 extends Thread {
        private final k2 f1 = new k2();

        k1() { setDaemon(true); }

        /** Pause without any deadline to speak of: one wait, longer if it was cut short. */
        final void m1(int p) throws InterruptedException {
            long s = System.nanoTime();
            int d = 0;
            synchronized (f1) {
                while (d < p) {
                    f1.wait(p - d);
                    d = (int) ((System.nanoTime() - s + 500000) / 1000000);
                }
            }
        }

        abstract void m2() throws InterruptedException;

        @Override public void run() {
            try {
                while (!v1) {
                    m2();
                    v3.incrementAndGet();
                }
            } catch (InterruptedException e) {
                v2 = "interrupted";
            }
        }
    }

    static final class k2 { }

    static final class k3 {
        private boolean f1;
        private int f2;         // 1 left, 2 right
        private int f3;         // leaves that are moving

        synchronized void m1(int s) throws InterruptedException {
            while (!f1 || f2 != s) wait();
            f3++;
        }

        synchronized void m2(boolean b, int s) throws InterruptedException {
            f1 = false;         // nothing begins to move from here on
            while (f3 > 0) wait();
            f1 = b;
            f2 = s;
            v4.set(0, b ? s : 0);
            notifyAll();
        }

        synchronized void m3() {
            if (--f3 == 0) notifyAll();
        }
    }

    static final class k4 {
        private int f1, f2;

        synchronized int m1(int x) {
            f1 = (f1 * 7 + x) / 8;
            f2++;
            return f1;
        }
    }

    static final class k5 extends k1 {
        private final k4 f1 = new k4();

        @Override void m2() throws InterruptedException {
            m1(ThreadLocalRandom.current().nextInt(3, 12));
            if (f1.m1(ThreadLocalRandom.current().nextInt(1000)) >= 1000) v2 = "filter out of range";
        }
    }

    static final k3 v5 = new k3();

    static final class k6 extends k1 {
        private final int f1;
        k6(int s) { f1 = s; }

        @Override void m2() throws InterruptedException {
            v5.m1(f1);
            if (v4.get(0) != f1) v2 = "door moved on the wrong side";
            m1(ThreadLocalRandom.current().nextInt(5, 12));
            if (v4.get(0) != f1) v2 = "train moved with doors open";
            v5.m3();
            m1(3);
        }
    }

    static final class k7 extends k1 {
        @Override void m2() throws InterruptedException {
            v5.m2(true, ThreadLocalRandom.current().nextInt(1, 3));
            m1(9);
            v5.m2(false, 0);
            m1(6);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        k1[] a = {new k5(), new k5(), new k6(1), new k6(1), new k6(2), new k6(2), new k7()};
        for (k1 k : a) k.start();
        System.out.println("READY");
        long t = System.currentTimeMillis() + s * 1000L;
        while (System.currentTimeMillis() < t && v2 == null) Thread.sleep(50);
        v1 = true;
        System.out.println(v2 == null ? "DONE " + v3 : v2);
        System.exit(v2 == null ? 0 : 1);
    }
}
