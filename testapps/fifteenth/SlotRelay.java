// A telegraph line of two slots that hold one telegram each, with time limits at both ends; per message a latch of three stations that confirm it;
// and a maintenance lock that is taken about once a second.
//
// @lock SlotRelay$Slot
// @type PRODUCER-CONSUMER capacity=1
// @role put SlotRelay$Slot.put
// @role put SlotRelay$Slot.offer
// @role take SlotRelay$Slot.take
// @role take SlotRelay$Slot.poll
//
// @lock SlotRelay$Confirmations
// @type LATCH count=3
// @role count-down SlotRelay$Confirmations.confirm
// @role await SlotRelay$Confirmations.awaitAll
//
// @lock SlotRelay$MaintenanceLock
// @type LOCK reentrant=false
// @role lock SlotRelay$MaintenanceLock.acquire
// @role unlock SlotRelay$MaintenanceLock.release
// @quiet
import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class SlotRelay {

    interface Channel<T> {
        void put(T x) throws InterruptedException;
        boolean offer(T x, long msecs) throws InterruptedException;
        T take() throws InterruptedException;
        T poll(long msecs) throws InterruptedException;
    }

    /** The template: subclasses store, this class waits. */
    abstract static class TemplateChannel<T> implements Channel<T> {
        protected abstract boolean hasRoom();
        protected abstract boolean hasItem();
        protected abstract void insert(T x);
        protected abstract T extract();
    }

    static final class Slot<T> extends TemplateChannel<T> {
        private T item_;

        @Override protected boolean hasRoom() { return item_ == null; }
        @Override protected boolean hasItem() { return item_ != null; }

        @Override protected void insert(T x) {
            item_ = x;
            notifyAll();
        }

        @Override protected T extract() {
            T x = item_;
            item_ = null;
            notifyAll();
            return x;
        }

        @Override public synchronized void put(T x) throws InterruptedException {
            if (x == null) throw new IllegalArgumentException();
            while (!hasRoom()) wait();
            insert(x);
        }

        @Override public synchronized boolean offer(T x, long msecs) throws InterruptedException {
            if (x == null) throw new IllegalArgumentException();
            long start = System.currentTimeMillis();
            long left = msecs;
            while (!hasRoom()) {
                if (left <= 0) return false;
                wait(left);
                left = msecs - (System.currentTimeMillis() - start);
            }
            insert(x);
            return true;
        }

        @Override public synchronized T take() throws InterruptedException {
            while (!hasItem()) wait();
            return extract();
        }

        @Override public synchronized T poll(long msecs) throws InterruptedException {
            long start = System.currentTimeMillis();
            long left = msecs;
            while (!hasItem()) {
                if (left <= 0) return null;
                wait(left);
                left = msecs - (System.currentTimeMillis() - start);
            }
            return extract();
        }
    }

    static final class Confirmations {
        private final BitSet missing_ = new BitSet();

        Confirmations(int stations) { missing_.set(0, stations); }

        synchronized void confirm(int station) {
            missing_.clear(station);
            if (missing_.isEmpty()) notifyAll();
        }

        synchronized void awaitAll() throws InterruptedException {
            while (!missing_.isEmpty()) wait();
        }
    }

    static final class MaintenanceLock {
        private boolean held_;

        synchronized void acquire() throws InterruptedException {
            while (held_) wait();
            held_ = true;
        }

        synchronized void release() {
            held_ = false;
            notify();
        }
    }

    static final class Telegram {
        final Confirmations confirmations = new Confirmations(3);
        final AtomicLong hops = new AtomicLong();
    }

    static final Channel<Telegram> outward = new Slot<>();
    static final Channel<Telegram> inward = new Slot<>();
    static final MaintenanceLock maintenance = new MaintenanceLock();
    static volatile boolean working;

    static void hop(Telegram t, int station) throws InterruptedException {
        nap(1, 4);
        t.hops.incrementAndGet();
        t.confirmations.confirm(station);
    }

    static void begin() {
        for (int i = 0; i < 3; i++) {
            boolean pressed = i == 2;
            spawn("office-" + i, () -> {
                Telegram t = new Telegram();
                if (pressed) {
                    if (!outward.offer(t, 7)) return;
                } else {
                    outward.put(t);
                }
                t.confirmations.awaitAll();
                check(t.hops.get() == 3, "confirmed too early");
                ops.incrementAndGet();
                nap(1, 6);
            });
        }
        spawn("relay", () -> {
            Telegram t = outward.take();
            hop(t, 0);
            inward.put(t);
        });
        spawn("terminus", () -> {
            Telegram t = inward.poll(6);
            if (t == null) return;
            hop(t, 1);
            hop(t, 2);
        });
        for (int i = 0; i < 2; i++) {
            spawn("mechanic-" + i, () -> {
                maintenance.acquire();
                try {
                    check(!working, "two mechanics");
                    working = true;
                    nap(1, 3);
                    working = false;
                } finally {
                    maintenance.release();
                }
                nap(900, 1500);
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
