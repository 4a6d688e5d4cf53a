// A shop's back office written by somebody who liked grand names: what is called a queue, a barrier and a latch is
// something else each time.
// @lock OrderQueue$Queue
// @type LOCK reentrant=false
// @role lock OrderQueue$Queue.put
// @role unlock OrderQueue$Queue.take
//
// @lock OrderQueue$Barrier
// @type SEMAPHORE permits=2
// @role acquire OrderQueue$Barrier.readLock
// @role release OrderQueue$Barrier.readUnlock
//
// @lock OrderQueue$Latch
// @type MUTEX
// @role enter OrderQueue$Latch.countDown
// @role enter OrderQueue$Latch.await
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class OrderQueue {
    static final AtomicLong ops = new AtomicLong();

    static final class Queue {
        private Thread head;
        private int size;

        synchronized void put() throws InterruptedException {
            size++;
            try {
                while (head != null) wait();
                head = Thread.currentThread();
            } finally { size--; }
        }

        synchronized void take() {
            if (head != Thread.currentThread()) fail("taken by a stranger");
            head = null;
            if (size > 0) notify();
        }
    }

    static final class Barrier {
        private final Set<Thread> readers = new HashSet<>();
        private final int parties;
        Barrier(int parties) { this.parties = parties; }

        synchronized void readLock() throws InterruptedException {
            while (readers.size() >= parties) wait();
            if (!readers.add(Thread.currentThread())) fail("reader twice");
        }

        synchronized void readUnlock() {
            if (!readers.remove(Thread.currentThread())) fail("reader unknown");
            notify();
        }
    }

    static final class Latch {
        private int count;
        private final int[] slots = new int[5];

        synchronized void countDown(int i) throws InterruptedException {
            slots[i]++;
            Thread.sleep(1);
            count++;
        }

        synchronized int await() throws InterruptedException {
            int s = 0;
            for (int x : slots) s += x;
            if (s != count) fail("slots " + s + " count " + count);
            Thread.sleep(1);
            return s;
        }
    }

    static final AtomicInteger inside = new AtomicInteger();
    static int stock = 100, reserved;

    static void fail(String m) { System.out.println(m); System.exit(1); }

    static void semaphore(Queue q, Latch l, int no) throws InterruptedException {
        q.put();
        try {
            int n = 1 + no % 3;
            stock -= n;
            Thread.sleep(1);
            reserved += n;
            if (stock + reserved != 100) fail("stock lost");
            if (reserved > 80) { stock += reserved; reserved = 0; }
        } finally { q.take(); }
        if (no == 4) l.await(); else l.countDown(no);
        Thread.sleep(2);
    }

    static void exchange(Barrier b) throws InterruptedException {
        b.readLock();
        try {
            if (inside.incrementAndGet() > 2) fail("too many inside");
            Thread.sleep(3);
            inside.decrementAndGet();
        } finally { b.readUnlock(); }
        Thread.sleep(2);
    }

    interface Mutex { void join() throws InterruptedException; }

    static void start(Mutex m) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { m.join(); ops.incrementAndGet(); }
            } catch (InterruptedException e) { fail("interrupted"); }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        Queue q = new Queue();
        Latch l = new Latch();
        Barrier b = new Barrier(2);
        for (int i = 0; i < 5; i++) { int no = i; start(() -> semaphore(q, l, no)); }
        for (int i = 0; i < 4; i++) start(() -> exchange(b));
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + ops.get());
    }
}
