// @lock TunerBank$Bank
// @type SEMAPHORE permits=2 form=object-pool
// @role acquire TunerBank$Bank.borrow
// @role acquire TunerBank$Bank.tryBorrow
// @role release TunerBank$Bank.giveBack
//
// @lock TunerBank$Carrier
// @type CONDITION form=resettable-event
// @role wait TunerBank$Carrier.awaitLocked
// @role notify TunerBank$Carrier.locked

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A set-top box: two tuners shared by live view, recordings and the guide loader; demuxers run only while the carrier is locked. */
public class TunerBank {
    static volatile boolean running = true;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class Tuner {
        final int number;
        final AtomicInteger users = new AtomicInteger();
        int khz;
        Tuner(int number) { this.number = number; }
    }

    static final class Bank {
        private final Tuner[] idle = {new Tuner(0), new Tuner(1)};

        private int firstIdle() {
            for (int i = 0; i < idle.length; i++) if (idle[i] != null) return i;
            return -1;
        }

        private Tuner pick(int i) {
            Tuner t = idle[i];
            idle[i] = null;
            return t;
        }

        synchronized Tuner borrow() throws InterruptedException {
            int i;
            while ((i = firstIdle()) < 0) wait();
            return pick(i);
        }

        synchronized Tuner tryBorrow(int millis) throws InterruptedException {
            long limit = System.nanoTime() + millis * 1000000L;
            int i = firstIdle();
            while (i < 0) {
                long left = (limit - System.nanoTime()) / 1000000L;
                if (left <= 0) return null;
                wait(left);
                i = firstIdle();
            }
            return pick(i);
        }

        synchronized void giveBack(Tuner t) {
            if (idle[t.number] != null) broken = "tuner given back twice";
            idle[t.number] = t;
            notifyAll();
        }
    }

    static final class Carrier {
        private boolean lock = true;
        private long packets;

        synchronized void awaitLocked() throws InterruptedException {
            while (!lock) wait();
            packets++;
        }

        synchronized void locked() {
            lock = true;
            notifyAll();
        }

        synchronized void lost() {
            lock = false;
        }
    }

    static final Bank bank = new Bank();
    static final Carrier carrier = new Carrier();

    static void use(Tuner t) throws InterruptedException {
        if (t.users.incrementAndGet() != 1) broken = "tuner " + t.number + " used by two";
        int f = ThreadLocalRandom.current().nextInt(474000, 858000);
        t.khz = f;
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
        if (t.khz != f) broken = "tuned away";
        t.users.decrementAndGet();
        bank.giveBack(t);
        ops.incrementAndGet();
        Thread.sleep(1);
    }

    static void recording() throws InterruptedException {
        while (running) use(bank.borrow());
    }

    static void guideLoader() throws InterruptedException {
        while (running) {
            Tuner t = bank.tryBorrow(60);
            if (t != null) use(t);
        }
    }

    static void demux() throws InterruptedException {
        while (running) {
            carrier.awaitLocked();
            Thread.sleep(2);
            ops.incrementAndGet();
        }
    }

    static void frontEnd() throws InterruptedException {
        while (running) {
            Thread.sleep(6);
            carrier.lost();
            Thread.sleep(9);
            carrier.locked();
        }
    }

    interface Task { void go() throws InterruptedException; }

    static void spawn(Task task) {
        Thread t = new Thread() {
            @Override public void run() {
                try { task.go(); } catch (InterruptedException e) { interrupt(); }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) spawn(TunerBank::recording);
        spawn(TunerBank::guideLoader);
        spawn(TunerBank::guideLoader);
        for (int i = 0; i < 3; i++) spawn(TunerBank::demux);
        spawn(TunerBank::frontEnd);
        System.out.println("READY");
        for (int i = 0; i < seconds * 20 && broken == null; i++) Thread.sleep(50);
        running = false;
        System.out.println(broken != null ? broken : "DONE " + ops);
        if (broken != null) System.exit(1);
    }
}
