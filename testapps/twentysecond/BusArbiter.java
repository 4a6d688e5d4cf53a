// @lock BusArbiter$Slot
// @type LOCK reentrant=false
// @role lock BusArbiter$Arbiter.acquire
// @role unlock BusArbiter$Arbiter.release
//
// @lock BusArbiter$ErrorLog
// @type MUTEX
// @role enter BusArbiter$ErrorLog.note
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A field bus granted in order of tickets; who holds ticket t waits at slot t modulo eight, so that a release wakes nobody but the next. */
public class BusArbiter {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class Slot { }

    static final class Arbiter {
        private final Slot[] slots = new Slot[8];
        private int nextTicket;
        private volatile int serving;

        Arbiter() {
            for (int i = 0; i < slots.length; i++) slots[i] = new Slot();
        }

        int acquire() {
            int t;
            synchronized (this) {
                t = nextTicket++;
            }
            Slot s = slots[t & 7];
            boolean interrupted = false;
            synchronized (s) {
                while (serving != t) {
                    try {
                        s.wait();
                    } catch (InterruptedException e) {
                        interrupted = true;      // a ticket cannot be given back
                    }
                }
            }
            if (interrupted) Thread.currentThread().interrupt();
            return t;
        }

        void release(int t) {
            if (t != serving) throw new IllegalStateException("ticket " + t + " is not being served");
            Slot s = slots[(t + 1) & 7];
            synchronized (s) {
                serving = t + 1;
                s.notifyAll();
            }
        }
    }

    static final class ErrorLog {
        private final String[] last = new String[4];
        private int n;

        synchronized void note(String s) {
            last[n++ & 3] = s;
        }
    }

    static final class Device extends Thread {
        private static int telegrams;
        private final Arbiter bus;
        private final ErrorLog log;

        Device(int address, Arbiter bus, ErrorLog log) {
            super("device-" + address);
            this.bus = bus;
            this.log = log;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                while (!stop) {
                    int t = bus.acquire();
                    try {
                        int n = ++telegrams;
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                        if (n != telegrams) broken = "collision on the bus";
                    } finally {
                        bus.release(t);
                    }
                    if (ops.incrementAndGet() % 200 == 0) log.note(getName());
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
                }
            } catch (InterruptedException | IllegalStateException e) {
                broken = e.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Arbiter bus = new Arbiter();
        ErrorLog log = new ErrorLog();
        for (int i = 0; i < 6; i++) new Device(i, bus, log).start();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
