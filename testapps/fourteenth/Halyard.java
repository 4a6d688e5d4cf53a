// A small messaging framework: the abstract channel waits and wakes, its subclasses store. One is bounded, one sorts.
// @lock Halyard$Tray
// @type PRODUCER-CONSUMER capacity=4
// @role put Halyard$Channel.send
// @role take Halyard$Channel.receive
// @lock Halyard$Urgency
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Halyard$Channel.send
// @role take Halyard$Channel.receive
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Halyard {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    abstract static class Channel<T> {
        protected abstract boolean accept(T item);

        protected abstract T next();

        public synchronized void send(T item) throws InterruptedException {
            while (!accept(item)) {
                wait();
            }
            notifyAll();
        }

        public synchronized T receive() throws InterruptedException {
            T item;
            while ((item = next()) == null) {
                wait();
            }
            notifyAll();
            return item;
        }
    }

    static final class Tray<T> extends Channel<T> {
        private final List<T> items = new ArrayList<>();

        @Override
        protected boolean accept(T item) {
            if (items.size() >= 4) {
                return false;
            }
            items.add(item);
            return true;
        }

        @Override
        protected T next() {
            return items.isEmpty() ? null : items.remove(0);
        }
    }

    static final class Urgency<T extends Comparable<T>> extends Channel<T> {
        private final PriorityQueue<T> heap = new PriorityQueue<>();

        @Override
        protected boolean accept(T item) {
            return heap.add(item);
        }

        @Override
        protected T next() {
            return heap.poll();
        }
    }

    static final class Flag implements Comparable<Flag> {
        final int rank = ThreadLocalRandom.current().nextInt(10);
        final long number;

        Flag(long number) {
            this.number = number;
        }

        @Override
        public int compareTo(Flag o) {
            return Integer.compare(rank, o.rank);
        }
    }

    final Tray<Flag> deck = new Tray<>();
    final Urgency<Flag> bridge = new Urgency<>();
    final AtomicLong made = new AtomicLong();
    final AtomicLong seen = new AtomicLong();
    long last;

    void hoist() throws InterruptedException {
        for (int i = ThreadLocalRandom.current().nextInt(4, 9); i > 0; i--) {
            deck.send(new Flag(made.incrementAndGet()));
        }
        nap(8, 20);
    }

    void relay() throws InterruptedException {
        Flag f = deck.receive();
        if (f.number <= last) {
            broken = "flags out of order";
        }
        last = f.number;
        nap(1, 2);
        bridge.send(f);
    }

    void read() throws InterruptedException {
        bridge.receive();
        if (seen.incrementAndGet() > made.get()) {
            broken = "more read than hoisted";
        }
        OPS.incrementAndGet();
        nap(1, 3);
    }

    public static void main(String[] args) throws InterruptedException {
        Halyard h = new Halyard();
        crew("hoister", h::hoist);
        crew("relay", h::relay);
        crew("officer-1", h::read);
        crew("officer-2", h::read);
        watch(args);
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void crew(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void watch(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.currentTimeMillis() + (args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
