// Dining philosophers with one table as the monitor (no philosopher holds one fork), and the kitchen's stock list.
// @lock Philosophers$Table
// @type CONDITION
// @role wait Philosophers$Table.takeForks
// @role notify Philosophers$Table.putForks
// @lock java.lang.Object#serve
// @type MUTEX
// @role enter Philosophers$Kitchen.serve
// @role enter Philosophers$Kitchen.restock

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Philosophers {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    enum Mood { THINKING, HUNGRY, EATING }

    static final class Table {
        private final Mood[] mood;

        Table(int n) {
            mood = new Mood[n];
            java.util.Arrays.fill(mood, Mood.THINKING);
        }

        private int left(int i) {
            return (i + mood.length - 1) % mood.length;
        }

        private int right(int i) {
            return (i + 1) % mood.length;
        }

        private boolean mayEat(int i) {
            return mood[left(i)] != Mood.EATING && mood[right(i)] != Mood.EATING;
        }

        synchronized void takeForks(int i) throws InterruptedException {
            mood[i] = Mood.HUNGRY;
            while (!mayEat(i)) {
                wait();
            }
            mood[i] = Mood.EATING;
        }

        synchronized void putForks(int i) {
            mood[i] = Mood.THINKING;
            if (mood[left(i)] == Mood.HUNGRY || mood[right(i)] == Mood.HUNGRY) {
                notifyAll();
            }
        }
    }

    static final class Kitchen {
        private final Object stock = new Object();
        private int noodles = 100;
        private int sauce = 200;

        boolean serve() throws InterruptedException {
            synchronized (stock) {
                if (noodles == 0) {
                    return false;
                }
                noodles--;
                Thread.sleep(1);
                sauce -= 2;
                return true;
            }
        }

        void restock() throws InterruptedException {
            synchronized (stock) {
                check(sauce == 2 * noodles, "stock");
                noodles = 100;
                Thread.sleep(2);
                sauce = 200;
            }
        }
    }

    private final Table table = new Table(5);
    private final Kitchen kitchen = new Kitchen();
    private final Object[] users = new Object[5];

    void live(int i) throws InterruptedException {
        nap(5);
        table.takeForks(i);
        int other = (i + 1) % 5;
        check(users[i] == null && users[other] == null, "fork in use");
        users[i] = this;
        users[other] = this;
        nap(5);
        users[i] = null;
        users[other] = null;
        table.putForks(i);
        kitchen.serve();
        OPS.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Philosophers school = new Philosophers();
        for (int i = 0; i < 5; i++) {
            int n = i;
            go("philosopher-" + i, () -> school.live(n));
        }
        go("cook", () -> {
            nap(8);
            school.kitchen.restock();
        });
        finish(args);
    }
}
