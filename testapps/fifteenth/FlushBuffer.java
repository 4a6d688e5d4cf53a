// A bounded ring of five between loaders and an indexer, with a third operation: a checkpoint waits until all that was put before it was also taken.
// Each loader thread lives for one file; whoever started it joins it.
//
// @lock FlushBuffer$Ring
// @type PRODUCER-CONSUMER+CONDITION capacity=5
// @role put FlushBuffer$Ring.put
// @role put FlushBuffer$Ring.offer
// @role take FlushBuffer$Ring.take
// @role wait FlushBuffer$Ring.flush
// @role notify FlushBuffer$Ring.take
//
// @lock FlushBuffer$Loader
// @type JOIN
// @role join java.lang.Thread.join
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class FlushBuffer {

    interface BoundedBuffer<T> {
        int capacity();
        void put(T x) throws InterruptedException;
        boolean offer(T x, long msecs) throws InterruptedException;
        T take() throws InterruptedException;
    }

    interface Flushable {
        long flush() throws InterruptedException;
    }

    static final class Ring<T> implements BoundedBuffer<T>, Flushable {
        private final Object[] array_;
        private long puts_, takes_;

        Ring(int capacity) { array_ = new Object[capacity]; }

        @Override public int capacity() { return array_.length; }

        private boolean full() { return puts_ - takes_ >= array_.length; }

        private void insert(T x) {
            array_[(int) (puts_++ % array_.length)] = x;
            notifyAll();
        }

        @Override public synchronized void put(T x) throws InterruptedException {
            while (full()) wait();
            insert(x);
        }

        @Override public synchronized boolean offer(T x, long msecs) throws InterruptedException {
            long deadline = System.currentTimeMillis() + msecs;
            while (full()) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) return false;
                wait(left);
            }
            insert(x);
            return true;
        }

        @SuppressWarnings("unchecked")
        @Override public synchronized T take() throws InterruptedException {
            while (puts_ == takes_) wait();
            int i = (int) (takes_++ % array_.length);
            T x = (T) array_[i];
            array_[i] = null;
            notifyAll();
            return x;
        }

        @Override public synchronized long flush() throws InterruptedException {
            long goal = puts_;
            while (takes_ < goal) wait();
            return goal;
        }
    }

    static final Ring<Integer> ring = new Ring<>(5);
    static final AtomicLong indexed = new AtomicLong(), loaded = new AtomicLong();

    static final class Loader extends Thread {
        private final int lines_;
        int done_;

        Loader(int lines) {
            lines_ = lines;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                for (int i = 0; i < lines_; i++) {
                    if (i % 3 == 0) {
                        while (!ring.offer(i, 10)) check(broken == null, "stopped");
                    } else {
                        ring.put(i);
                    }
                    loaded.incrementAndGet();
                    done_++;
                    if (i % 2 == 0) nap(1, 3);
                }
            } catch (InterruptedException e) {
                broken = "loader interrupted";
            }
        }
    }

    static void begin() {
        for (int i = 0; i < 3; i++) {
            spawn("directory-" + i, () -> {
                Loader a = new Loader(2 + ThreadLocalRandom.current().nextInt(4));
                Loader b = new Loader(3);
                a.start();
                b.start();
                a.join();
                b.join(60000);
                check(a.done_ == a.lines_ && b.done_ == 3, "a loader ended early");
                ops.incrementAndGet();
                nap(2, 20);
            });
        }
        spawn("indexer", () -> {
            Integer x = ring.take();
            check(x >= 0, "negative line");
            indexed.incrementAndGet();
            nap(0, 4);
        });
        spawn("checkpoint", () -> {
            long n = ring.flush();
            check(n <= indexed.get() + 1 + ring.capacity(), "flush returned early");
            nap(3, 9);
        });
    }

    static final AtomicLong ops = new AtomicLong();
    static volatile String broken;

    interface Step { void run() throws InterruptedException; }

    static void check(boolean ok, String what) { if (!ok) broken = what; }

    static void nap(int min, int max) throws InterruptedException {
        Thread.sleep(min + ThreadLocalRandom.current().nextInt(max - min + 1));
    }

    static void spawn(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) step.run();
            } catch (InterruptedException e) {
                broken = name + " was interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        begin();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) Thread.sleep(50);
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
