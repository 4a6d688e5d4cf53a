// @lock Centrifuge$RotorLock
// @type LOCK reentrant=true
// @role lock Centrifuge$RotorLock.seize
// @role lock Centrifuge$RotorLock.trySeize
// @role unlock Centrifuge$RotorLock.free
//
// @lock Centrifuge$Ramp
// @type DELAY
// @role delay Centrifuge$Ramp.hold

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A laboratory centrifuge shared by several protocols; a protocol holds the rotor for a run made of nested steps. */
public class Centrifuge {
    static final AtomicLong runs = new AtomicLong();
    static volatile String fault;

    /** Waiting, for whatever a subclass calls admissible. */
    abstract static class Gate {
        protected abstract boolean admits(Thread who);

        protected final void untilAdmitted() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (!admits(me)) {
                wait();
            }
        }

        protected final boolean admittedWithin(long millis) throws InterruptedException {
            Thread me = Thread.currentThread();
            long end = System.currentTimeMillis() + millis;
            for (long left = millis; !admits(me); left = end - System.currentTimeMillis()) {
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }
    }

    static final class RotorLock extends Gate {
        private Thread holder;
        private int holds;

        @Override
        protected boolean admits(Thread who) {
            return holder == null || holder == who;
        }

        synchronized void seize() throws InterruptedException {
            untilAdmitted();
            holder = Thread.currentThread();
            holds++;
        }

        synchronized boolean trySeize(long millis) throws InterruptedException {
            if (!admittedWithin(millis)) {
                return false;
            }
            holder = Thread.currentThread();
            holds++;
            return true;
        }

        synchronized void free() {
            if (holder != Thread.currentThread()) {
                throw new IllegalMonitorStateException("not the holder");
            }
            if (--holds == 0) {
                holder = null;
                notify();
            }
        }
    }

    /** Lets a speed settle; nobody ever shortens it. */
    static final class Ramp {
        synchronized void hold(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000L;
            long left = millis;
            while (left > 0) {
                wait(left);
                left = (end - System.nanoTime() + 999_999L) / 1_000_000L;
            }
        }
    }

    static final RotorLock rotor = new RotorLock();
    static int rpm;

    static final class Protocol implements Runnable {
        private final int speed;
        private final Ramp ramp = new Ramp();

        Protocol(int speed) {
            this.speed = speed;
        }

        private void spin(int to) throws InterruptedException {
            rotor.seize();
            try {
                rpm = to;
                ramp.hold(ThreadLocalRandom.current().nextInt(2, 6));
                if (rpm != to) {
                    fault = "somebody else changed the speed";
                }
            } finally {
                rotor.free();
            }
        }

        @Override
        public void run() {
            try {
                while (true) {
                    boolean mine = speed % 2000 == 0 ? rotor.trySeize(40) : seized();
                    if (mine) {
                        try {
                            spin(speed / 2);
                            spin(speed);
                            spin(0);
                            runs.incrementAndGet();
                        } finally {
                            rotor.free();
                        }
                    }
                    ramp.hold(ThreadLocalRandom.current().nextInt(4, 12));
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }

        private boolean seized() throws InterruptedException {
            rotor.seize();
            return true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int s = 1000; s <= 4000; s += 1000) {
            Thread t = new Thread(new Protocol(s), "protocol-" + s);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < seconds * 50 && fault == null; i++) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + runs.get());
        System.exit(0);
    }
}
