import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Uses locks in every way there is and keeps books of it. Each line on standard input is a round: the
 * number of threads and of turns; then it prints what the round came to.
 */
public class Counted {
    static final int ENTERED = 0, WAIT = 1, THREW = 2, NOTIFY = 3, ALL = 4;
    static final AtomicLongArray books = new AtomicLongArray(5);

    static void count(int what, long times) { books.addAndGet(what, times); }

    /** A lock with every kind of region. */
    static class Box {
        final Object lock = new Object();
        int value;
        int rest;

        void region() { synchronized (lock) { value++; } }

        void nested() {
            synchronized (this) { synchronized (lock) { synchronized (lock) { value++; } } }
        }

        synchronized int method() { return ++rest; }

        synchronized void recursive(int depth) { if (depth > 0) recursive(depth - 1); }

        void throwsOut() { synchronized (lock) { throw new IllegalStateException(); } }

        synchronized void methodThrows() { throw new IllegalStateException(); }

        int returnsEarly(int i) { synchronized (lock) { if (i % 2 == 0) return value; } return 0; }

        synchronized void wake() { notifyAll(); notify(); }
    }

    static int shared;

    static synchronized void mirror() { shared++; }

    /** Two threads hand a token over, by wait and notify. */
    static class Pair {
        boolean full;

        synchronized void put() throws InterruptedException {
            count(ENTERED, 1);
            while (full) { count(WAIT, 1); wait(); }
            full = true;
            count(NOTIFY, 1);
            notify();
        }

        synchronized void take() throws InterruptedException {
            count(ENTERED, 1);
            while (!full) { count(WAIT, 1); wait(10_000L, 1); }
            full = false;
            count(ALL, 1);
            notifyAll();
        }
    }

    static void turn(Box box, int i) {
        box.region();
        box.nested();
        box.method();
        box.recursive(2);
        try { box.throwsOut(); } catch (IllegalStateException expected) { }
        try { box.methodThrows(); } catch (IllegalStateException expected) { }
        box.returnsEarly(i);
        box.wake();
        mirror();
    }

    static void work(Box[] boxes, int turns) {
        for (int i = 0; i < turns; i++) turn(boxes[i % boxes.length], i);
        // region 1, nested 3, method 1, recursive 3, throwsOut 1, methodThrows 1, returnsEarly 1, wake 1, mirror 1
        count(ENTERED, 13L * turns);
        count(NOTIFY, turns);
        count(ALL, turns);
    }

    /** Waits that end by an interrupt, and by time. */
    static void waits(Box box) {
        synchronized (box.lock) {
            count(ENTERED, 1);
            Thread.currentThread().interrupt();
            try { count(WAIT, 1); box.lock.wait(); } catch (InterruptedException expected) { count(THREW, 1); }
            try { count(WAIT, 1); box.lock.wait(5); } catch (InterruptedException e) { throw new AssertionError(e); }
        }
    }

    interface Job { void run() throws Exception; }

    static void start(CountDownLatch done, Job job) {
        Runnable body = () -> {
            try { job.run(); } catch (Exception e) { e.printStackTrace(); } finally { done.countDown(); }
        };
        if (!Boolean.getBoolean("virtual")) { new Thread(body).start(); return; }
        // By reflection, for compilers that do not know it.
        try { Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body); }
        catch (ReflectiveOperationException e) { throw new AssertionError(e); }
    }

    static String round(int threads, int turns) throws InterruptedException {
        for (int i = 0; i < books.length(); i++) books.set(i, 0);
        Box[] boxes = new Box[7];
        for (int i = 0; i < boxes.length; i++) boxes[i] = new Box();
        Pair pair = new Pair();
        CountDownLatch done = new CountDownLatch(threads + 3);
        for (int t = 0; t < threads; t++) start(done, () -> work(boxes, turns));
        start(done, () -> { for (int i = 0; i < turns / 10; i++) pair.put(); });
        start(done, () -> { for (int i = 0; i < turns / 10; i++) pair.take(); });
        start(done, () -> waits(boxes[0]));
        done.await();
        long sum = 0;
        for (Box box : boxes) sum += box.value;
        if (sum != 2L * threads * turns) return "the locks do not exclude: " + sum;
        return "entered " + books.get(ENTERED) + " wait " + books.get(WAIT) + " threw " + books.get(THREW)
            + " notify " + books.get(NOTIFY) + " all " + books.get(ALL);
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        // So that there is compiled code.
        System.out.println(round(2, 3000));
        System.out.println("ready");
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split(" ");
            System.out.println(round(Integer.parseInt(words[0]), Integer.parseInt(words[1])));
        }
    }
}
