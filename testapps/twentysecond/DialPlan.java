// @lock DialPlan$A1
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock DialPlan$A1.m1
// @role read-unlock DialPlan$A1.m2
// @role write-lock DialPlan$A1.m3
// @role write-unlock DialPlan$A1.m4
//
// @lock java.lang.Class#m5
// @type MUTEX
// @role enter DialPlan$A2.m5
// @role enter DialPlan$A2.m6

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Digit analysis of an exchange: lookups share the numbering plan, commands change it; traffic counters behind static methods. */
public class DialPlan {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class A1 {
        private int f1, f2;
        private boolean f3;

        synchronized void m1() throws InterruptedException {
            while (f3 || f2 > 0) wait();
            f1++;
        }

        synchronized void m2() {
            if (--f1 == 0) notifyAll();
        }

        synchronized void m3() throws InterruptedException {
            f2++;
            try {
                while (f3 || f1 > 0) wait();
                f3 = true;
            } finally {
                f2--;
                if (!f3) notifyAll();
            }
        }

        synchronized void m4() {
            f3 = false;
            notifyAll();
        }
    }

    static final class A2 {
        private static long f4, f5;

        static synchronized void m5(boolean hit) throws InterruptedException {
            f4++;
            Thread.sleep(1);
            if (hit) f5++;
        }

        static synchronized void m6() throws InterruptedException {
            long a = f4;
            Thread.sleep(2);
            if (a != f4 || f5 > f4) broken = "counters moved during dump";
        }
    }

    static final A1 lock = new A1();
    static final Map<Integer, int[]> plan = new HashMap<>();

    static void t1() throws InterruptedException {
        while (!stop) {
            int prefix = ThreadLocalRandom.current().nextInt(100);
            boolean hit;
            lock.m1();
            try {
                int[] route = plan.get(prefix);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                hit = route != null;
                if (hit && route[0] + route[1] != 100) broken = "half a change seen";
            } finally {
                lock.m2();
            }
            if (ops.incrementAndGet() % 2 == 0) A2.m5(hit);
            Thread.sleep(2);
        }
    }

    static void t2() throws InterruptedException {
        while (!stop) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(8, 16));
            int prefix = ThreadLocalRandom.current().nextInt(100);
            lock.m3();
            try {
                int[] route = plan.computeIfAbsent(prefix, k -> new int[] {0, 100});
                route[0] = ThreadLocalRandom.current().nextInt(100);
                Thread.sleep(2);
                route[1] = 100 - route[0];
            } finally {
                lock.m4();
            }
            ops.incrementAndGet();
        }
    }

    static void t3() throws InterruptedException {
        while (!stop) {
            A2.m6();
            Thread.sleep(10);
        }
    }

    interface Job { void run() throws InterruptedException; }

    static void run(Job j) {
        Thread t = new Thread(() -> {
            try { j.run(); } catch (InterruptedException e) { broken = "interrupted"; }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) run(DialPlan::t1);
        for (int i = 0; i < 2; i++) run(DialPlan::t2);
        run(DialPlan::t3);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        if (broken != null) {
            System.err.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
