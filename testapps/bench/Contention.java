import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A workload for measuring what watching costs. Pairs of threads hand work to each other by wait and notify; each
 * piece is some computing outside and some inside a lock shared by several pairs.
 *
 * <p>Arguments: seconds, pairs, rounds of computing outside and inside the shared lock for a piece (1,000 rounds take
 * about two microseconds), number of shared locks (0: none), and counters: three customers for each go from counter to
 * counter, take its lock and, holding it, wait for the clerk's answer. The others then find the lock held by a thread
 * that does not run, so that HotSpot does not spin but blocks them. One processor is never idle for want of work as long as there are more
 * pairs or counters than processors, because one thread of each can always run: throughput is limited by the processors,
 * and what a recorder takes of them shows.
 *
 * <p>Prints READY, then the pieces of work done in each second.
 */
public final class Contention {
    /** Frames between a thread's run method and its work: real programs wait deep down. */
    private static final int DEPTH = 24;
    private static final int CUSTOMERS = 3;

    private Contention() {
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = Integer.parseInt(args[0]);
        int pairs = Integer.parseInt(args[1]);
        int outside = Integer.parseInt(args[2]);
        int inside = Integer.parseInt(args[3]);
        Object[] shared = new Object[Integer.parseInt(args[4])];
        int counters = Integer.parseInt(args[5]);
        for (int i = 0; i < shared.length; i++) {
            shared[i] = new Object();
        }
        // One cell in eight, so that the counters do not share a cache line.
        AtomicLongArray done = new AtomicLongArray((2 * pairs + CUSTOMERS * counters) * 8);
        for (int t = 0; t < 2 * pairs; t += 2) {
            Baton baton = new Baton();
            Object ours = shared.length == 0 ? null : shared[t / 2 % shared.length];
            start("left-" + t / 2, new Runner(baton, 0, outside, inside, ours, done, t));
            start("right-" + t / 2, new Runner(baton, 1, outside, inside, ours, done, t + 1));
        }
        Baton[] clerks = new Baton[counters];
        Object[] desks = new Object[counters];
        for (int c = 0; c < counters; c++) {
            clerks[c] = new Baton();
            desks[c] = new Object();
            start("clerk-" + c, new Clerk(clerks[c]));
        }
        for (int n = 0; n < CUSTOMERS * counters; n++) {
            start("customer-" + n, new Customer(n, clerks, desks, done, 2 * pairs + n));
        }
        System.out.println("READY");
        System.out.flush();
        report(seconds, done);
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(() -> descend(DEPTH, work), name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void descend(int frames, Runnable work) {
        if (frames == 0) {
            work.run();
        } else {
            descend(frames - 1, work);
        }
    }

    private static void report(int seconds, AtomicLongArray done) throws InterruptedException {
        long before = sum(done);
        long start = System.nanoTime();
        for (int s = 1; s <= seconds; s++) {
            long until = start + s * 1_000_000_000L;
            for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
                Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
            }
            long now = sum(done);
            System.out.println(now - before);
            System.out.flush();
            before = now;
        }
    }

    private static long sum(AtomicLongArray done) {
        long sum = 0;
        for (int i = 0; i < done.length(); i += 8) {
            sum += done.get(i);
        }
        return sum;
    }

    /** Steps of a xorshift generator: each needs the one before, and no compiler knows how to take several at once. */
    private static long compute(long state, int rounds) {
        long value = state;
        for (int i = 0; i < rounds; i++) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
        }
        return value;
    }

    /** Whose turn it is in a pair. */
    private static final class Baton {
        private int turn;

        synchronized void pass(int from) throws InterruptedException {
            turn = 1 - from;
            notify();
            while (turn != from) {
                wait();
            }
        }

        synchronized void await(int me) throws InterruptedException {
            while (turn != me) {
                wait();
            }
        }
    }

    /** One thread of a pair. */
    private static final class Runner implements Runnable {
        private final Baton baton;
        private final int me;
        private final int outside;
        private final int inside;
        private final Object shared;
        private final AtomicLongArray done;
        private final int index;

        Runner(Baton baton, int me, int outside, int inside, Object shared, AtomicLongArray done, int index) {
            this.baton = baton;
            this.me = me;
            this.outside = outside;
            this.inside = inside;
            this.shared = shared;
            this.done = done;
            this.index = index;
        }

        @Override
        public void run() {
            try {
                baton.await(me);
                long state = me + 1;
                for (long n = 1;; n++) {
                    state = piece(state);
                    done.lazySet(index * 8, n);
                    baton.pass(me);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private long piece(long state) {
            long value = compute(state, outside);
            if (shared == null) {
                return value;
            }
            synchronized (shared) {
                return compute(value, inside);
            }
        }
    }

    /** Answers whoever passes the baton. */
    private static final class Clerk implements Runnable {
        private final Baton baton;

        Clerk(Baton baton) {
            this.baton = baton;
        }

        @Override
        public void run() {
            try {
                baton.await(1);
                while (true) {
                    baton.pass(1);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Goes from counter to counter; takes each and keeps it until the clerk has answered. */
    private static final class Customer implements Runnable {
        private final int first;
        private final Baton[] clerks;
        private final Object[] counters;
        private final AtomicLongArray done;
        private final int index;

        Customer(int first, Baton[] clerks, Object[] counters, AtomicLongArray done, int index) {
            this.first = first;
            this.clerks = clerks;
            this.counters = counters;
            this.done = done;
            this.index = index;
        }

        @Override
        public void run() {
            try {
                for (long n = 1;; n++) {
                    int next = (int) ((first + n) % counters.length);
                    synchronized (counters[next]) {
                        clerks[next].pass(0);
                    }
                    done.lazySet(index * 8, n);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
