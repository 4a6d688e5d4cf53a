import EDU.oswego.cs.dl.util.concurrent.Barrier;
import EDU.oswego.cs.dl.util.concurrent.BoundedBuffer;
import EDU.oswego.cs.dl.util.concurrent.BoundedLinkedQueue;
import EDU.oswego.cs.dl.util.concurrent.BoundedPriorityQueue;
import EDU.oswego.cs.dl.util.concurrent.Channel;
import EDU.oswego.cs.dl.util.concurrent.CondVar;
import EDU.oswego.cs.dl.util.concurrent.CountDown;
import EDU.oswego.cs.dl.util.concurrent.CyclicBarrier;
import EDU.oswego.cs.dl.util.concurrent.FIFOReadWriteLock;
import EDU.oswego.cs.dl.util.concurrent.FIFOSemaphore;
import EDU.oswego.cs.dl.util.concurrent.FutureResult;
import EDU.oswego.cs.dl.util.concurrent.Latch;
import EDU.oswego.cs.dl.util.concurrent.LinkedQueue;
import EDU.oswego.cs.dl.util.concurrent.Mutex;
import EDU.oswego.cs.dl.util.concurrent.PooledExecutor;
import EDU.oswego.cs.dl.util.concurrent.PrioritySemaphore;
import EDU.oswego.cs.dl.util.concurrent.QueuedExecutor;
import EDU.oswego.cs.dl.util.concurrent.ReadWriteLock;
import EDU.oswego.cs.dl.util.concurrent.ReaderPreferenceReadWriteLock;
import EDU.oswego.cs.dl.util.concurrent.ReentrantLock;
import EDU.oswego.cs.dl.util.concurrent.ReentrantWriterPreferenceReadWriteLock;
import EDU.oswego.cs.dl.util.concurrent.Rendezvous;
import EDU.oswego.cs.dl.util.concurrent.Semaphore;
import EDU.oswego.cs.dl.util.concurrent.Slot;
import EDU.oswego.cs.dl.util.concurrent.Sync;
import EDU.oswego.cs.dl.util.concurrent.SynchronizedInt;
import EDU.oswego.cs.dl.util.concurrent.SynchronousChannel;
import EDU.oswego.cs.dl.util.concurrent.WaitableInt;
import EDU.oswego.cs.dl.util.concurrent.WriterPreferenceReadWriteLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Doug Lea's {@code util.concurrent} of 1998-2004, the ancestor of java.util.concurrent, all of it built on
 * monitors: every class is used by threads of its own, in the way it is meant. What each of them is stands in
 * {@code LeaDriver.locks}; needs the jar of {@code fetch lea}.
 */
public final class LeaDriver {
    private static final int CAPACITY = 3;
    private static final int PARTIES = 3;

    private final List<Load.Task> threads = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        LeaDriver driver = new LeaDriver();
        driver.locks();
        driver.readWriteLocks();
        driver.channels();
        driver.meetings();
        driver.openings();
        driver.executors();
        driver.values();
        Load.run(args, driver.threads.size(), driver.threads::get);
    }

    private void start(int count, Load.Task task) {
        for (int i = 0; i < count; i++) {
            threads.add(task);
        }
    }

    private void locks() {
        guarded(4, new Mutex());
        guarded(4, new Semaphore(2));
        guarded(5, new FIFOSemaphore(3));
        guarded(5, new PrioritySemaphore(3));
        ReentrantLock lock = new ReentrantLock();
        start(4, () -> holding(lock, () -> holding(lock, LeaDriver::work)));
        conditions();
    }

    /** A box of one, guarded by a mutex with a condition variable either way. */
    private void conditions() {
        Mutex mutex = new Mutex();
        CondVar notFull = new CondVar(mutex);
        CondVar notEmpty = new CondVar(mutex);
        int[] held = {0};
        start(2, () -> move(mutex, notFull, notEmpty, held, 0));
        start(2, () -> move(mutex, notEmpty, notFull, held, 1));
    }

    private static void move(Mutex mutex, CondVar awaited, CondVar signalled, int[] held, int from) throws Exception {
        mutex.acquire();
        try {
            while (held[0] != from) {
                awaited.await();
            }
            held[0] = 1 - from;
            signalled.signal();
        } finally {
            mutex.release();
        }
        rest();
    }

    private void guarded(int count, Sync sync) {
        start(count, () -> holding(sync, LeaDriver::work));
    }

    private static void holding(Sync sync, Load.Task task) throws Exception {
        sync.acquire();
        try {
            task.run();
        } finally {
            sync.release();
        }
        rest();
    }

    private void readWriteLocks() {
        shared(new ReaderPreferenceReadWriteLock());
        shared(new WriterPreferenceReadWriteLock());
        shared(new ReentrantWriterPreferenceReadWriteLock());
        shared(new FIFOReadWriteLock());
    }

    private void shared(ReadWriteLock lock) {
        guarded(3, lock.readLock());
        guarded(2, lock.writeLock());
    }

    private void channels() {
        passed(new BoundedBuffer(CAPACITY));
        passed(new BoundedLinkedQueue(CAPACITY));
        passed(new BoundedPriorityQueue(CAPACITY));
        passed(new Slot());
        passed(new SynchronousChannel());
        AtomicInteger queued = new AtomicInteger();
        LinkedQueue unbounded = new LinkedQueue();
        start(2, () -> putUnlessAhead(unbounded, queued));
        start(2, () -> {
            unbounded.take();
            queued.decrementAndGet();
            rest();
        });
    }

    private void passed(Channel channel) {
        start(2, () -> {
            channel.put(1);
            rest();
        });
        start(2, () -> {
            channel.take();
            rest();
        });
    }

    private static void putUnlessAhead(Channel channel, AtomicInteger queued) throws Exception {
        if (queued.get() < 100) {
            queued.incrementAndGet();
            channel.put(1);
        }
        rest();
    }

    private void meetings() {
        Barrier barrier = new CyclicBarrier(PARTIES);
        start(PARTIES, () -> {
            rest();
            ((CyclicBarrier) barrier).barrier();
        });
        Rendezvous rendezvous = new Rendezvous(2);
        start(2, () -> {
            rest();
            rendezvous.rendezvous("gift");
        });
    }

    private void openings() {
        rounds(Latch::new, 1, Latch::acquire, Latch::release);
        rounds(() -> new CountDown(3), 3, CountDown::acquire, CountDown::release);
        rounds(FutureResult::new, 1, FutureResult::get, future -> future.set("done"));
    }

    /** What one does to an opening. */
    private interface Act<T> {
        void to(T opening) throws Exception;
    }

    /** One thread makes an opening, lets three others come to it, opens it when some are there, and makes the next. */
    private <T> void rounds(Supplier<T> make, int openings, Act<T> await, Act<T> open) {
        Round<T> first = new Round<>(make.get());
        start(1, new Load.Task() {
            private Round<T> now = first;

            @Override
            public void run() throws Exception {
                for (int i = 0; i < openings; i++) {
                    work();
                    open.to(now.opening);
                }
                now.next = new Round<>(make.get());
                now = now.next;
                work();
            }
        });
        for (int i = 0; i < 3; i++) {
            start(1, new Load.Task() {
                private Round<T> now = first;

                @Override
                public void run() throws Exception {
                    await.to(now.opening);
                    while (now.next == null) {
                        rest();
                    }
                    now = now.next;
                }
            });
        }
    }

    private static final class Round<T> {
        final T opening;
        volatile Round<T> next;

        Round(T opening) {
            this.opening = opening;
        }
    }

    private void executors() {
        PooledExecutor pool = new PooledExecutor(new BoundedBuffer(CAPACITY), 3);
        pool.setMinimumPoolSize(3);
        pool.waitWhenBlocked();
        start(2, () -> {
            pool.execute(LeaDriver::work);
            rest();
        });
        QueuedExecutor single = new QueuedExecutor(new BoundedLinkedQueue(CAPACITY));
        start(2, () -> {
            single.execute(LeaDriver::work);
            rest();
        });
    }

    private void values() {
        SynchronizedInt total = new SynchronizedInt(0);
        start(4, () -> {
            for (int i = 0; i < 100; i++) {
                total.increment();
            }
            rest();
        });
        WaitableInt level = new WaitableInt(0);
        start(2, () -> {
            level.whenLess(CAPACITY, level::increment);
            rest();
        });
        start(2, () -> {
            level.whenGreater(0, level::decrement);
            rest();
        });
    }

    private static void work() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(100_000, 2_000_000));
    }

    private static void rest() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(500_000, 4_000_000));
    }
}
