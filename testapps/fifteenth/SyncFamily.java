// Two exclusive locks behind one interface: a plain one that knows only whether it is held, and a re-entrant one that knows by whom.
// A warehouse uses the first for its loading ramp and the second for its inventory, whose operations call one another.
//
// @lock SyncFamily$Mutex
// @type LOCK reentrant=false
// @role lock SyncFamily$Mutex.acquire
// @role lock SyncFamily$Mutex.attempt
// @role unlock SyncFamily$Mutex.release
//
// @lock SyncFamily$ReentrantLock
// @type LOCK reentrant=true
// @role lock SyncFamily$ReentrantLock.acquire
// @role lock SyncFamily$ReentrantLock.attempt
// @role unlock SyncFamily$ReentrantLock.release
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class SyncFamily {

    interface Sync {
        void acquire() throws InterruptedException;
        boolean attempt(long msecs) throws InterruptedException;
        void release();
    }

    static class Mutex implements Sync {
        protected boolean inuse_ = false;

        @Override public void acquire() throws InterruptedException {
            if (Thread.interrupted()) throw new InterruptedException();
            synchronized (this) {
                try {
                    while (inuse_) wait();
                    inuse_ = true;
                } catch (InterruptedException ex) {
                    notify();
                    throw ex;
                }
            }
        }

        @Override public synchronized void release() {
            inuse_ = false;
            notify();
        }

        @Override public boolean attempt(long msecs) throws InterruptedException {
            if (Thread.interrupted()) throw new InterruptedException();
            synchronized (this) {
                if (!inuse_) {
                    inuse_ = true;
                    return true;
                }
                if (msecs <= 0) return false;
                long waitTime = msecs;
                long start = System.currentTimeMillis();
                try {
                    for (;;) {
                        wait(waitTime);
                        if (!inuse_) {
                            inuse_ = true;
                            return true;
                        }
                        waitTime = msecs - (System.currentTimeMillis() - start);
                        if (waitTime <= 0) return false;
                    }
                } catch (InterruptedException ex) {
                    notify();
                    throw ex;
                }
            }
        }
    }

    static class ReentrantLock implements Sync {
        protected Thread owner_ = null;
        protected long holds_ = 0;

        @Override public void acquire() throws InterruptedException {
            Thread caller = Thread.currentThread();
            synchronized (this) {
                if (caller == owner_) {
                    ++holds_;
                    return;
                }
                while (owner_ != null) wait();
                owner_ = caller;
                holds_ = 1;
            }
        }

        @Override public boolean attempt(long msecs) throws InterruptedException {
            Thread caller = Thread.currentThread();
            long deadline = System.currentTimeMillis() + msecs;
            synchronized (this) {
                if (caller == owner_) {
                    ++holds_;
                    return true;
                }
                while (owner_ != null) {
                    long left = deadline - System.currentTimeMillis();
                    if (left <= 0) return false;
                    wait(left);
                }
                owner_ = caller;
                holds_ = 1;
                return true;
            }
        }

        @Override public synchronized void release() {
            if (Thread.currentThread() != owner_) throw new IllegalStateException("not the owner");
            if (--holds_ == 0) {
                owner_ = null;
                notifyAll();
            }
        }
    }

    static final class Inventory {
        private final Sync lock_ = new ReentrantLock();
        private int shelf_ = 100, store_ = 100;

        void moveToShelf(int n) throws InterruptedException {
            lock_.acquire();
            try {
                store_ -= n;
                nap(1, 3);
                shelf_ += n;
                if (store_ < 0) refill();
            } finally {
                lock_.release();
            }
        }

        void refill() throws InterruptedException {
            lock_.acquire();
            try {
                int n = shelf_ / 2;
                shelf_ -= n;
                nap(1, 2);
                store_ += n;
            } finally {
                lock_.release();
            }
        }

        boolean audit(long msecs) throws InterruptedException {
            if (!lock_.attempt(msecs)) return false;
            try {
                check(shelf_ + store_ == 200, "goods lost");
                refill();
            } finally {
                lock_.release();
            }
            return true;
        }
    }

    static final Sync ramp = new Mutex();
    static final Inventory inventory = new Inventory();
    static volatile Thread onRamp;

    static void load() throws InterruptedException {
        check(onRamp == null, "two lorries on the ramp");
        onRamp = Thread.currentThread();
        nap(1, 4);
        onRamp = null;
        ops.incrementAndGet();
    }

    static void begin() {
        for (int i = 0; i < 3; i++) {
            spawn("lorry-" + i, () -> {
                ramp.acquire();
                try {
                    load();
                } finally {
                    ramp.release();
                }
                nap(1, 3);
            });
        }
        spawn("van", () -> {
            if (ramp.attempt(6)) {
                try {
                    load();
                } finally {
                    ramp.release();
                }
            }
            nap(2, 5);
        });
        for (int i = 0; i < 3; i++) {
            spawn("stacker-" + i, () -> {
                inventory.moveToShelf(1 + ThreadLocalRandom.current().nextInt(20));
                ops.incrementAndGet();
                nap(2, 5);
            });
        }
        spawn("auditor", () -> {
            inventory.audit(10);
            nap(5, 10);
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
