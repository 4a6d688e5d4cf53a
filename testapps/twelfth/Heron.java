// @lock Heron$Queue
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Heron$Queue.put
// @role read-unlock Heron$Queue.take
// @role write-lock Heron$Queue.await
// @role write-lock Heron$Queue.tryAwait
// @role write-unlock Heron$Queue.signal
//
// @lock Heron$Semaphore
// @type LATCH count=2
// @role count-down Heron$Semaphore.acquire
// @role await Heron$Semaphore.release

import java.util.*;

/** A catalogue of birds after too many refactorings: no class is called what it is. */
public class Heron {
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

    static class Queue {
        private final BitSet barrier = new BitSet();
        private int permits = -1;

        private boolean isFull() {
            return permits >= 0;
        }

        synchronized void put(int id) throws InterruptedException {
            while (isFull())
                wait();
            barrier.set(id);
        }

        synchronized void take(int id) {
            check(barrier.get(id), "was not looking");
            barrier.clear(id);
            if (barrier.isEmpty())
                notifyAll();
        }

        synchronized void await(int id) throws InterruptedException {
            while (permits >= 0 || !barrier.isEmpty())
                wait();
            permits = id;
        }

        synchronized boolean tryAwait(int id, long millis) throws InterruptedException {
            long stop = System.nanoTime() + millis * 1000000L;
            while (permits >= 0 || barrier.cardinality() > 0) {
                long left = stop - System.nanoTime();
                if (left <= 0)
                    return false;
                wait(left / 1000000L, (int) (left % 1000000L));
            }
            permits = id;
            return true;
        }

        synchronized void signal() {
            permits = -1;
            notifyAll();
        }
    }

    static class Semaphore {
        private final Set<String> buffer = new HashSet<>(Arrays.asList("wing", "beak"));
        private final int[] result = new int[1];

        synchronized void acquire(String part, int n) {
            if (!buffer.remove(part))
                return;
            result[0] += n;
            if (buffer.isEmpty())
                notifyAll();
        }

        synchronized int release() throws InterruptedException {
            while (!buffer.isEmpty())
                wait();
            return result[0];
        }
    }

    static final Queue mutex = new Queue();
    static final int[] pages = new int[6];
    static final java.util.concurrent.ConcurrentLinkedQueue<Semaphore> wings = new java.util.concurrent.ConcurrentLinkedQueue<>();
    static final java.util.concurrent.ConcurrentLinkedQueue<Semaphore> beaks = new java.util.concurrent.ConcurrentLinkedQueue<>();

    static void look(int id) throws InterruptedException {
        mutex.put(id);
        try {
            int a = pages[0];
            nap(rnd(1, 3));
            for (int p : pages)
                check(p == a, "half an edit");
        } finally {
            mutex.take(id);
        }
        nap(rnd(2, 6));
    }

    static void edit(int id, boolean patient) throws InterruptedException {
        if (patient)
            mutex.await(id);
        else if (!mutex.tryAwait(id, 10))
            return;
        try {
            for (int i = 0; i < pages.length; i++) {
                pages[i]++;
                if (i == 2)
                    nap(2);
            }
        } finally {
            mutex.signal();
        }
        nap(rnd(3, 9));
    }

    static void measure(java.util.concurrent.ConcurrentLinkedQueue<Semaphore> from, String part, int n) {
        Semaphore s = from.poll();
        nap(rnd(1, 4));
        if (s != null)
            s.acquire(part, n);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            final int id = i;
            loop("reader" + i, () -> look(id));
        }
        loop("writer0", () -> edit(10, true));
        loop("writer1", () -> edit(11, false));
        loop("m0", () -> measure(wings, "wing", 40));
        loop("m1", () -> measure(beaks, "beak", 2));
        for (int i = 0; i < 2; i++)
            loop("n" + i, () -> {
                Semaphore s = new Semaphore();
                wings.add(s);
                beaks.add(s);
                check(s.release() == 42, "measured too early");
            });
        supervise(args);
    }
}
