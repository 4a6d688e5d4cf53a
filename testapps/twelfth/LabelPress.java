// @lock LabelPress$Tray
// @type PRODUCER-CONSUMER capacity=5
// @role put LabelPress$Stage.offer
// @role put LabelPress$Stage.push
// @role take LabelPress$Stage.pull
//
// @lock LabelPress$Counter
// @type MUTEX
// @role enter LabelPress$Counter.add
// @role enter LabelPress$Counter.total
// @quiet

import java.util.*;

/** Labels printed, laid on trays of five and glued on bottles; the waiting is done by a general stage, the storing by its kinds. */
public class LabelPress {
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

    abstract static class Stage<T> {
        abstract boolean hasRoom();

        abstract boolean hasItem();

        abstract void store(T item);

        abstract T fetch();

        synchronized boolean offer(T item, long millis) throws InterruptedException {
            long give = System.nanoTime() + millis * 1000000L;
            while (!hasRoom()) {
                long ms = (give - System.nanoTime()) / 1000000L;
                if (ms < 1)
                    return false;
                wait(ms);
            }
            store(item);
            notifyAll();
            return true;
        }

        synchronized void push(T item) throws InterruptedException {
            while (!hasRoom())
                wait();
            store(item);
            notifyAll();
        }

        synchronized T pull() throws InterruptedException {
            while (!hasItem())
                wait();
            T item = fetch();
            notifyAll();
            return item;
        }
    }

    static class Tray extends Stage<String> {
        private final LinkedList<String> labels = new LinkedList<>();
        private final int room;

        Tray(int room) {
            this.room = room;
        }

        @Override
        boolean hasRoom() {
            return labels.size() < room;
        }

        @Override
        boolean hasItem() {
            return !labels.isEmpty();
        }

        @Override
        void store(String item) {
            labels.addLast(item);
        }

        @Override
        String fetch() {
            return labels.removeFirst();
        }
    }

    static class Counter {
        private long printed, glued;

        synchronized void add(boolean isPrint) {
            if (isPrint)
                printed++;
            else
                glued++;
        }

        synchronized long[] total() {
            return new long[] {printed, glued};
        }
    }

    public static void main(String[] args) throws Exception {
        final Tray[] trays = {new Tray(5), new Tray(5)};
        final Counter counter = new Counter();
        for (int i = 0; i < 4; i++) {
            final Tray tray = trays[i % 2];
            final boolean patient = i < 2;
            loop("press-" + i, () -> {
                for (int j = rnd(3, 8); j > 0; j--) {
                    counter.add(true);
                    String label = "label " + j;
                    if (patient)
                        tray.push(label);
                    else if (!tray.offer(label, 9))
                        counter.add(false);                // thrown away
                }
                nap(rnd(5, 20));
            });
        }
        for (int i = 0; i < 4; i++) {
            final Tray tray = trays[i % 2];
            loop("gluer-" + i, () -> {
                String label = tray.pull();
                check(label.startsWith("label "), "blank label");
                counter.add(false);
                nap(rnd(1, 4));
            });
        }
        loop("foreman", () -> {
            long[] t = counter.total();
            check(t[0] >= t[1] && t[0] - t[1] <= 18, "labels lost: " + (t[0] - t[1]));
            nap(20);
        });
        supervise(args);
    }
}
