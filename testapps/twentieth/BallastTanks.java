// Ballast is shifted between tanks under one re-entrant key; pumps that do not get the key in time pause in their own pit.
// @lock BallastTanks$Key
// @type LOCK reentrant=true
// @role lock BallastTanks$Key.take
// @role lock BallastTanks$Key.takeWithin
// @role unlock BallastTanks$Key.hang
// @lock BallastTanks$Pump
// @type DELAY
// @role delay BallastTanks$Pump.settle
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class BallastTanks {
    static class Key {
        /** Who has the key, once for each time; the same thread throughout. */
        private final ArrayList<Thread> holds = new ArrayList<>();

        private boolean mine() { return holds.isEmpty() || holds.get(0) == Thread.currentThread(); }

        synchronized void take() throws InterruptedException {
            while (!mine()) wait();
            holds.add(Thread.currentThread());
        }

        synchronized boolean takeWithin(long millis) throws InterruptedException {
            long until = System.currentTimeMillis() + millis;
            while (!mine()) {
                long left = until - System.currentTimeMillis();
                if (left <= 0) return false;
                wait(left);
            }
            return holds.add(Thread.currentThread());
        }

        synchronized void hang() {
            if (holds.isEmpty() || !mine()) throw new IllegalMonitorStateException();
            holds.remove(holds.size() - 1);
            if (holds.isEmpty()) notifyAll();
        }
    }

    static class Tanks {
        final Key key = new Key();
        final int[] tons = { 50, 50, 50, 50 };

        void shift(int from, int to) throws InterruptedException {
            key.take();
            try {
                if (add(from, -1)) {
                    nap(1, 3);
                    if (!add(to, 1)) add(from, 1);
                }
            } finally {
                key.hang();
            }
        }

        private boolean add(int tank, int t) throws InterruptedException {
            key.take();
            try {
                int now = tons[tank] + t;
                if (now < 0 || now > 100) return false;
                tons[tank] = now;
                return true;
            } finally {
                key.hang();
            }
        }
    }

    static class Pump {
        private final Tanks tanks;
        private final int power;

        Pump(Tanks tanks, int power) {
            this.tanks = tanks;
            this.power = power;
        }

        void cycle() throws InterruptedException {
            if (tanks.key.takeWithin(4)) {
                int sum = 0;
                try {
                    for (int t : tanks.tons) sum += t;
                    check(sum == 200, "ballast lost: " + sum);
                    tanks.shift(power % 4, (power + 1) % 4);
                } finally {
                    tanks.key.hang();
                }
            }
            settle(System.currentTimeMillis() + 3 + power);
        }

        private synchronized void settle(long until) throws InterruptedException {
            long left;
            while ((left = until - System.currentTimeMillis()) > 0) wait(left);
        }
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
        Tanks tanks = new Tanks();
        for (int i = 0; i < 3; i++) {
            Pump pump = new Pump(tanks, i);
            spawn("pump-" + i, pump::cycle);
        }
        for (int i = 0; i < 2; i++)
            spawn("mate-" + i, () -> {
                tanks.shift(ThreadLocalRandom.current().nextInt(4), ThreadLocalRandom.current().nextInt(4));
                nap(1, 4);
            });
        supervise(args);
    }
}
