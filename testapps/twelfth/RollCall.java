// @lock java.util.TreeSet
// @type LATCH count=3
// @role count-down RollCall$Muster.present
// @role await RollCall$Muster.complete
//
// @lock RollCall$Drill
// @type BARRIER parties=3
// @role arrive RollCall$Drill.step
//
// @lock RollCall$Bunks
// @type SEMAPHORE permits=2
// @role acquire RollCall$Bunks.lieDown
// @role release RollCall$Bunks.getUp

import java.util.*;

/** A barracks: a muster per exercise, a drill in step, and two bunks for those who are tired. */
public class RollCall {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    static class Muster {
        private final Set<Integer> absent = new TreeSet<>();
        private final List<Integer> order = new ArrayList<>();

        Muster(int size) {
            for (int i = 0; i < size; i++)
                absent.add(i);
        }

        void present(int soldier) {
            synchronized (absent) {
                if (absent.remove(soldier))
                    order.add(soldier);
                if (absent.isEmpty())
                    absent.notifyAll();
            }
        }

        List<Integer> complete() throws InterruptedException {
            synchronized (absent) {
                while (absent.size() > 0)
                    absent.wait();
                return order;
            }
        }
    }

    /** The list of those who stand still; a full list is thrown away and a new one begun. */
    static class Drill {
        private final int squad;
        private List<String> standing = new ArrayList<>();

        Drill(int squad) {
            this.squad = squad;
        }

        synchronized int step() throws InterruptedException {
            final List<String> here = standing;
            here.add(Thread.currentThread().getName());
            int place = here.size();
            if (place < squad) {
                while (here == standing)
                    wait();
                check(here.size() == squad, "stepped too early");
            } else {
                standing = new ArrayList<>();
                notifyAll();
            }
            return place;
        }
    }

    static class Bunks {
        private final Deque<Integer> empty = new ArrayDeque<>(Arrays.asList(1, 2));     // numbers of the bunks

        int lieDown() throws InterruptedException {
            synchronized (this) {
                while (empty.isEmpty())
                    wait();
                return empty.pop();
            }
        }

        void getUp(int bunk) {
            synchronized (this) {
                empty.push(bunk);
                notify();
            }
        }
    }

    static volatile Muster current = new Muster(3);

    static void attend(int soldier) {
        Muster m = current;
        nap(rnd(1, 6));
        m.present(soldier);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            final int me = i;
            loop("soldier-" + i, () -> attend(me));
        }
        loop("sergeant", () -> {
            Muster m = new Muster(3);
            current = m;
            check(m.complete().size() == 3, "muster incomplete");
        });
        loop("observer", () -> {
            check(current.complete().size() == 3, "observed too early");
            nap(3);
        });
        final Drill drill = new Drill(3);
        for (int i = 0; i < 3; i++)
            loop("recruit-" + i, () -> {
                nap(rnd(1, 6));
                int p = drill.step();
                check(p >= 1 && p <= 3, "place");
            });
        final Bunks bunks = new Bunks();
        final java.util.concurrent.atomic.AtomicIntegerArray used = new java.util.concurrent.atomic.AtomicIntegerArray(3);
        for (int i = 0; i < 4; i++)
            loop("sleeper-" + i, () -> {
                int b = bunks.lieDown();
                check(used.incrementAndGet(b) == 1, "bunk shared");
                nap(rnd(2, 6));
                used.decrementAndGet(b);
                bunks.getUp(b);
                nap(1);
            });
        supervise(args);
    }
}
