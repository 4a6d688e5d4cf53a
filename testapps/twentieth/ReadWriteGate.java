// A repair shop. Orders are called by urgency, ten at most lie on the shelf; what is called a mutex is a bell that is armed and disarmed.
// @lock ReadWriteGate$Writers
// @type PRODUCER-CONSUMER capacity=10
// @role put ReadWriteGate$Writers.lockRead
// @role take ReadWriteGate$Writers.unlockRead
// @lock ReadWriteGate$Mutex
// @type CONDITION form=resettable-event
// @role wait ReadWriteGate$Mutex.lock
// @role notify ReadWriteGate$Mutex.unlock
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class ReadWriteGate {
    static class Permit implements Comparable<Permit> {
        final int urgency;
        final long number;

        Permit(int urgency, long number) {
            this.urgency = urgency;
            this.number = number;
        }

        @Override
        public int compareTo(Permit o) {
            return urgency != o.urgency ? Integer.compare(o.urgency, urgency) : Long.compare(number, o.number);
        }
    }

    static class Writers {
        private final TreeSet<Permit> readers = new TreeSet<>();
        private int waitingIn, waitingOut;

        synchronized void lockRead(Permit p) throws InterruptedException {
            while (readers.size() >= 10) {
                waitingIn++;
                try {
                    wait();
                } finally {
                    waitingIn--;
                }
            }
            readers.add(p);
            if (waitingOut > 0) notifyAll();
        }

        synchronized Permit unlockRead() throws InterruptedException {
            while (readers.isEmpty()) {
                waitingOut++;
                try {
                    wait();
                } finally {
                    waitingOut--;
                }
            }
            if (waitingIn > 0) notifyAll();
            return readers.pollFirst();
        }

        synchronized int size() { return readers.size(); }
    }

    static class Mutex {
        private boolean free;

        synchronized void lock() throws InterruptedException {
            while (!free) wait();
        }

        synchronized void unlock() {
            free = true;
            notifyAll();
        }

        synchronized void reset() { free = false; }
    }

    static final AtomicLong OPS = new AtomicLong();
    static volatile String bad;

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok) bad = what; }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    body.run();
                    OPS.incrementAndGet();
                }
            } catch (Exception | Error e) {
                e.printStackTrace();
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    /** Watches over the run: failures, and standstill for twenty seconds. */
    static void supervise(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(100);
            long now = OPS.get();
            still = now == seen ? still + 1 : 0;
            seen = now;
            check(still < 200, "standstill");
        }
        System.out.println(bad == null ? "DONE " + OPS.get() : "FAILED " + bad);
        System.out.flush();
        System.exit(bad == null ? 0 : 1);
    }
    public static void main(String[] args) throws Exception {
        Writers shelf = new Writers();
        Mutex bell = new Mutex();
        AtomicLong numbers = new AtomicLong(), in = new AtomicLong(), out = new AtomicLong();
        for (int i = 0; i < 2; i++)
            spawn("counter-" + i, () -> {
                bell.lock();
                for (int k = ThreadLocalRandom.current().nextInt(9); k >= 0; k--) {
                    long n = numbers.incrementAndGet();
                    in.addAndGet(n);
                    shelf.lockRead(new Permit(ThreadLocalRandom.current().nextInt(3), n));
                }
                nap(2, 10);
            });
        for (int i = 0; i < 3; i++)
            spawn("smith-" + i, () -> {
                Permit p = shelf.unlockRead();
                check(out.addAndGet(p.number) <= in.get(), "worked on an order that was not given");
                check(shelf.size() <= 10, "shelf overflows");
                nap(2, 5);
            });
        spawn("landlady", () -> {
            bell.unlock();
            nap(10, 20);
            bell.reset();
            nap(8, 16);
        });
        supervise(args);
    }
}
