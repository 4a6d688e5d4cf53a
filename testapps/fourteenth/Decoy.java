// Names that lie: the "queue" is a re-entrant lock, the "read-write guard" a bounded buffer, the "mutex" a barrier.
// @lock Decoy$BoundedQueue
// @type LOCK reentrant=true
// @role lock Decoy$BoundedQueue.put
// @role unlock Decoy$BoundedQueue.take
// @lock Decoy$ReadWriteGuard
// @type PRODUCER-CONSUMER capacity=3
// @role put Decoy$ReadWriteGuard.lockRead
// @role take Decoy$ReadWriteGuard.unlockRead
// @lock Decoy$Mutex
// @type BARRIER parties=3
// @role arrive Decoy$Mutex.enter
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class Decoy {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class BoundedQueue {
        private Thread consumer;
        private int capacity;

        synchronized void put() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (consumer == me) {
                capacity++;
                return;
            }
            while (consumer != null) {
                wait();
            }
            consumer = me;
            capacity = 1;
        }

        synchronized void take() {
            if (Thread.currentThread() != consumer) {
                throw new IllegalStateException("not mine");
            }
            capacity--;
            if (capacity == 0) {
                consumer = null;
                notify();
            }
        }
    }

    static final class ReadWriteGuard {
        private final String[] readers = new String[3];
        private int locks;

        synchronized void lockRead(String name) throws InterruptedException {
            while (locks >= readers.length) {
                wait();
            }
            readers[locks++] = name;
            notifyAll();
        }

        synchronized String unlockRead() throws InterruptedException {
            while (locks == 0) {
                wait();
            }
            String name = readers[--locks];
            readers[locks] = null;
            notifyAll();
            return name;
        }
    }

    static final class Mutex {
        private int holders;
        private Object token = new int[0];

        synchronized void enter() throws InterruptedException {
            holders++;
            if (holders < 3) {
                Object t = token;
                while (t == token) {
                    wait();
                }
            } else {
                holders = 0;
                token = new int[0];
                notifyAll();
            }
        }
    }

    final BoundedQueue queue = new BoundedQueue();
    final ReadWriteGuard guard = new ReadWriteGuard();
    final Mutex mutex = new Mutex();
    final AtomicInteger within = new AtomicInteger();
    final AtomicInteger balance = new AtomicInteger();
    final AtomicIntegerArray rounds = new AtomicIntegerArray(3);

    void nested(int depth) throws InterruptedException {
        queue.put();
        try {
            if (depth == 0) {
                if (within.incrementAndGet() != 1) {
                    broken = "two within";
                }
                nap(1, 4);
                within.decrementAndGet();
            } else {
                nested(depth - 1);
            }
        } finally {
            queue.take();
        }
    }

    void outer() throws InterruptedException {
        nested(ThreadLocalRandom.current().nextInt(3));
        OPS.incrementAndGet();
        nap(1, 5);
    }

    void supply() throws InterruptedException {
        balance.incrementAndGet();
        guard.lockRead("n" + ThreadLocalRandom.current().nextInt(100));
        nap(1, 6);
    }

    void consume() throws InterruptedException {
        String s = guard.unlockRead();
        if (s == null || balance.decrementAndGet() < 0) {
            broken = "something from nothing";
        }
        OPS.incrementAndGet();
        nap(1, 6);
    }

    void march(int id) throws InterruptedException {
        int r = rounds.incrementAndGet(id);
        mutex.enter();
        for (int i = 0; i < 3; i++) {
            if (rounds.get(i) < r) {
                broken = "somebody was left behind";
            }
        }
        OPS.incrementAndGet();
        nap(2, 8);
    }

    public static void main(String[] args) throws InterruptedException {
        Decoy d = new Decoy();
        for (int i = 0; i < 3; i++) {
            final int id = i;
            crew("w" + i, d::outer);
            crew("m" + i, () -> d.march(id));
        }
        crew("s1", d::supply);
        crew("s2", d::supply);
        crew("c1", d::consume);
        crew("c2", d::consume);
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
