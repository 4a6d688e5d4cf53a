// A canteen's counter: cooks put plates on it, guests take them; the same monitor keeps the till, which cashiers and the manager use.
// @lock Canteen$Counter
// @type PRODUCER-CONSUMER+MUTEX capacity=7
// @role put Canteen$Counter.serve
// @role take Canteen$Counter.help
// @role enter Canteen$Counter.pay
// @role enter Canteen$Counter.count
// @lock Canteen$Larder
// @type LOCK reentrant=false
// @role lock Canteen$Larder.unbolt
// @role unlock Canteen$Larder.bolt
// @quiet
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class Canteen {
    static class Counter {
        private static final int LENGTH = 7;
        private final LinkedList<Integer> plates = new LinkedList<>();
        private long coins, notes, paid;

        synchronized void serve(int dish) throws InterruptedException {
            while (plates.size() == LENGTH) wait();
            plates.addLast(dish);
            notifyAll();
        }

        synchronized int help() throws InterruptedException {
            while (plates.isEmpty()) wait();
            int dish = plates.removeFirst();
            notifyAll();
            return dish;
        }

        synchronized void pay(int cents) throws InterruptedException {
            paid += cents;
            Thread.sleep(1);    // the drawer sticks
            coins += cents % 500;
            notes += cents - cents % 500;
        }

        synchronized boolean count() throws InterruptedException {
            long sum = coins + notes;
            Thread.sleep(1);
            return sum == paid;
        }
    }

    static class Larder {
        private Thread inside;
        private int potatoes = 1000;

        synchronized void unbolt() throws InterruptedException {
            while (inside != null) wait();
            inside = Thread.currentThread();
        }

        synchronized void bolt() {
            if (inside != Thread.currentThread()) throw new IllegalMonitorStateException();
            inside = null;
            notify();
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
        Counter counter = new Counter();
        Larder larder = new Larder();
        AtomicLong cooked = new AtomicLong(), eaten = new AtomicLong();
        for (int i = 0; i < 2; i++) {
            int[] round = { 0 };
            spawn("cook-" + i, () -> {
                for (int k = ThreadLocalRandom.current().nextInt(2, 10); k > 0; k--) {
                    cooked.incrementAndGet();
                    counter.serve(k);
                }
                nap(5, 25);
                if (++round[0] % 40 != 0) return;
                larder.unbolt();
                int p = larder.potatoes;
                larder.potatoes = p > 10 ? p - 1 : 1000;
                larder.bolt();
            });
        }
        for (int i = 0; i < 3; i++)
            spawn("guest-" + i, () -> {
                check(counter.help() > 0, "an empty plate");
                check(eaten.incrementAndGet() <= cooked.get(), "more eaten than cooked");
                nap(2, 9);
            });
        for (int i = 0; i < 2; i++)
            spawn("cashier-" + i, () -> {
                counter.pay(ThreadLocalRandom.current().nextInt(100, 3000));
                nap(3, 10);
            });
        spawn("manager", () -> {
            check(counter.count(), "the till is wrong");
            nap(10, 20);
        });
        supervise(args);
    }
}
