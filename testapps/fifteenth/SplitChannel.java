// A bounded linked channel with a monitor for each end, and per consignment a count-down that tells when its four parcels were delivered.
// Composite: the put side is guarded by putGuard_, the take side by the channel itself; the two exchange counts.
//
// @lock SplitChannel$BoundedLinkedChannel
// @type PRODUCER-CONSUMER capacity=6
// @role put SplitChannel$BoundedLinkedChannel.put
// @role take SplitChannel$BoundedLinkedChannel.take
//
// @lock SplitChannel$CountDown
// @type LATCH count=4
// @role count-down SplitChannel$CountDown.release
// @role await SplitChannel$CountDown.acquire
// @role await SplitChannel$CountDown.attempt
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class SplitChannel {

    interface Puttable<T> { void put(T x) throws InterruptedException; }
    interface Takable<T> { T take() throws InterruptedException; }
    interface Channel<T> extends Puttable<T>, Takable<T> { }

    static final class LinkedNode<T> {
        T value;
        LinkedNode<T> next;
        LinkedNode(T x) { value = x; }
    }

    static final class PutGuard { }

    static final class BoundedLinkedChannel<T> implements Channel<T> {
        private LinkedNode<T> head_ = new LinkedNode<>(null);
        private LinkedNode<T> last_ = head_;
        private final PutGuard putGuard_ = new PutGuard();
        private int putPermits_;     // guarded by putGuard_
        private int stored_;         // guarded by this

        BoundedLinkedChannel(int capacity) { putPermits_ = capacity; }

        private void link(T x) {
            LinkedNode<T> p = new LinkedNode<>(x);
            synchronized (this) {
                last_.next = p;
                last_ = p;
                stored_++;
                notify();
            }
        }

        @Override public void put(T x) throws InterruptedException {
            synchronized (putGuard_) {
                try {
                    while (putPermits_ <= 0) putGuard_.wait();
                } catch (InterruptedException e) {
                    putGuard_.notify();
                    throw e;
                }
                putPermits_--;
                link(x);
            }
        }

        @Override public T take() throws InterruptedException {
            T x;
            synchronized (this) {
                while (stored_ == 0) wait();
                LinkedNode<T> first = head_.next;
                x = first.value;
                first.value = null;
                head_ = first;
                stored_--;
            }
            giveRoom();
            return x;
        }

        private void giveRoom() {
            synchronized (putGuard_) {
                putPermits_++;
                putGuard_.notify();
            }
        }
    }

    static final class CountDown {
        private final int initial_;
        private int count_;

        CountDown(int count) { count_ = initial_ = count; }

        int initialCount() { return initial_; }

        synchronized void release() {
            if (--count_ == 0) notifyAll();
        }

        synchronized void acquire() throws InterruptedException {
            while (count_ > 0) wait();
        }

        synchronized boolean attempt(long msecs) throws InterruptedException {
            long deadline = System.currentTimeMillis() + msecs;
            while (count_ > 0) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) return false;
                wait(left);
            }
            return true;
        }
    }

    static final class Parcel {
        final CountDown consignment;
        final AtomicLong delivered;
        Parcel(CountDown c, AtomicLong d) { consignment = c; delivered = d; }
    }

    static final Channel<Parcel> belt = new BoundedLinkedChannel<>(6);

    static void consign(boolean timed) throws InterruptedException {
        CountDown done = new CountDown(4);
        AtomicLong delivered = new AtomicLong();
        for (int i = 0; i < done.initialCount(); i++) belt.put(new Parcel(done, delivered));
        if (timed) {
            while (!done.attempt(50)) check(delivered.get() <= 4, "too many parcels");
        } else {
            done.acquire();
        }
        check(delivered.get() == 4, "consignment incomplete");
        ops.incrementAndGet();
    }

    static void begin() {
        for (int i = 0; i < 4; i++) {
            boolean timed = i == 3;
            spawn("sender-" + i, () -> {
                consign(timed);
                nap(1, 20);
            });
        }
        for (int i = 0; i < 3; i++) {
            spawn("courier-" + i, () -> {
                Parcel p = belt.take();
                nap(1, 4);
                p.delivered.incrementAndGet();
                p.consignment.release();
            });
        }
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
