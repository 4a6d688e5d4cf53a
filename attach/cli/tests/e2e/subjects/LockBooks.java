import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Uses locks of java.util.concurrent in every way there is and keeps books of what it does: a line "class act outcome n" for
 * each at the end. What a condition's lock is given up and taken again for stands in its own lines. Argument: platform or virtual.
 */
public final class LockBooks {
    static final int THREADS = 4;
    static final int ROUNDS = 200;

    /** A lock of the program's own. */
    static final class Gate extends AbstractQueuedSynchronizer {
        @Override protected boolean tryAcquire(int n) { return compareAndSetState(0, 1); }
        @Override protected boolean tryRelease(int n) { setState(0); return true; }
    }

    static final Map<String, AtomicLong> BOOKS = new TreeMap<>();

    static void book(String what) { book(what, 1); }

    static void book(String what, long n) {
        AtomicLong sum;
        synchronized (BOOKS) { sum = BOOKS.computeIfAbsent(what, key -> new AtomicLong()); }
        sum.addAndGet(n);
    }

    interface Work { void run(int thread) throws Exception; }

    static void together(boolean virtual, Work work) throws Exception {
        List<Thread> threads = new ArrayList<>();
        Throwable[] failed = new Throwable[1];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Runnable run = () -> {
                try { work.run(number); } catch (Throwable e) { failed[0] = e; }
            };
            threads.add(start(virtual, run));
        }
        for (Thread thread : threads) thread.join();
        if (failed[0] != null) throw new AssertionError(failed[0]);
    }

    static Thread start(boolean virtual, Runnable run) throws Exception {
        if (virtual) {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) start.invoke(null, run);
        }
        Thread thread = new Thread(run);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        boolean virtual = args.length > 0 && args[0].equals("virtual");
        locks(virtual);
        conditions(virtual);
        readers(virtual);
        permits(virtual);
        gates(virtual);
        stamps(virtual);
        meetings(virtual);
        queues(virtual);
        BOOKS.forEach((what, n) -> System.out.println("BOOK " + what + " " + n));
        System.out.println("DONE");
    }

    static void tried(String lock, String act, boolean done) {
        book(lock + " " + act + (done ? " done" : " failed"));
    }

    static void locks(boolean virtual) throws Exception {
        String name = "ReentrantLock";
        ReentrantLock lock = new ReentrantLock();
        together(virtual, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                boolean held = true;
                switch (i % 4) {
                    case 0: lock.lock(); book(name + " lock done"); break;
                    case 1: lock.lockInterruptibly(); book(name + " lock done"); break;
                    case 2: held = lock.tryLock(); tried(name, "lock", held); break;
                    default: held = lock.tryLock(1, TimeUnit.MILLISECONDS); tried(name, "lock", held);
                }
                if (!held) continue;
                if (i % 8 == 0) {
                    lock.lock(); book(name + " lock done");
                    lock.unlock(); book(name + " unlock done");
                }
                lock.unlock(); book(name + " unlock done");
            }
            try {
                lock.unlock();
            } catch (IllegalMonitorStateException expected) {
                book(name + " unlock threw");
            }
            Thread.currentThread().interrupt();
            try {
                lock.lockInterruptibly();
            } catch (InterruptedException expected) {
                book(name + " lock threw");
            }
        });
    }

    static void conditions(boolean virtual) throws Exception {
        ReentrantLock lock = new ReentrantLock(true);
        Condition turn = lock.newCondition();
        int[] whose = new int[1];
        together(virtual, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                lock.lock(); book("Fair lock done");
                while (whose[0] % THREADS != number) {
                    book("Condition await done");
                    if (i % 2 == 0) {
                        turn.await();
                        book("Condition awaited done");
                    } else {
                        boolean signalled = turn.await(10, TimeUnit.SECONDS);
                        tried("Condition", "awaited", signalled);
                    }
                }
                whose[0]++;
                turn.signalAll(); book("Condition signal-all done");
                lock.unlock(); book("Fair unlock done");
            }
            lock.lock(); book("Fair lock done");
            book("Condition await done");
            boolean signalled = turn.await(1, TimeUnit.MICROSECONDS);
            tried("Condition", "awaited", signalled);
            Thread.currentThread().interrupt();
            book("Condition await done");
            try {
                turn.await();
            } catch (InterruptedException expected) {
                book("Condition awaited threw");
            }
            lock.unlock(); book("Fair unlock done");
        });
    }

    static void readers(boolean virtual) throws Exception {
        String name = "ReentrantReadWriteLock";
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        together(virtual, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                if (i % 5 == 0) {
                    lock.writeLock().lock(); book(name + " lock done");
                    // Down to reading.
                    lock.readLock().lock(); book(name + " share done");
                    lock.writeLock().unlock(); book(name + " unlock done");
                    lock.readLock().unlock(); book(name + " unshare done");
                } else {
                    boolean held = true;
                    if (i % 2 == 0) {
                        lock.readLock().lock(); book(name + " share done");
                    } else {
                        held = lock.readLock().tryLock(); tried(name, "share", held);
                    }
                    if (held) { lock.readLock().unlock(); book(name + " unshare done"); }
                }
            }
        });
    }

    static void permits(boolean virtual) throws Exception {
        String name = "Semaphore";
        Semaphore permits = new Semaphore(3);
        together(virtual, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                int wanted = 1 + i % 2;
                if (i % 3 == 0) {
                    boolean held = permits.tryAcquire(wanted);
                    tried(name, "share", held);
                    if (!held) continue;
                } else {
                    permits.acquire(wanted); book(name + " share done");
                }
                book(name + " permits taken", wanted);
                permits.release(wanted); book(name + " unshare done");
            }
        });
        int rest = permits.drainPermits(); book(name + " share done");
        book(name + " permits taken", rest);
    }

    static void gates(boolean virtual) throws Exception {
        String name = "LockBooks$Gate";
        Gate gate = new Gate();
        together(virtual, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                if (i % 2 == 0) {
                    gate.acquire(1); book(name + " lock done");
                } else {
                    boolean held = gate.tryAcquireNanos(1, TimeUnit.SECONDS.toNanos(60));
                    tried(name, "lock", held);
                    if (!held) continue;
                }
                gate.release(1); book(name + " unlock done");
            }
        });
    }

    static void stamps(boolean virtual) throws Exception {
        String name = "StampedLock";
        StampedLock lock = new StampedLock();
        together(virtual, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                if (i % 4 == 0) {
                    long stamp = lock.writeLock(); book(name + " lock done");
                    stamp = lock.tryConvertToReadLock(stamp); book(name + " convert-to-share done");
                    lock.unlockRead(stamp); book(name + " unshare done");
                } else if (i % 4 == 1) {
                    long stamp = lock.tryReadLock();
                    tried(name, "share", stamp != 0);
                    if (stamp != 0) { lock.unlockRead(stamp); book(name + " unshare done"); }
                } else if (i % 4 == 2) {
                    lock.asReadLock().lock(); book(name + " share done");
                    lock.asReadLock().unlock(); book(name + " unshare done");
                } else {
                    long stamp = lock.tryOptimisticRead();
                    lock.validate(stamp);
                    long write = lock.writeLock(); book(name + " lock done");
                    lock.unlockWrite(write); book(name + " unlock done");
                }
            }
        });
    }

    static void meetings(boolean virtual) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        Phaser phaser = new Phaser(THREADS);
        CountDownLatch latch = new CountDownLatch(THREADS * ROUNDS);
        Exchanger<String> exchanger = new Exchanger<>();
        together(virtual, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                barrier.await(); book("CyclicBarrier meet done");
                phaser.arriveAndAwaitAdvance(); book("Phaser meet done");
                latch.countDown(); book("CountDownLatch count-down done");
                exchanger.exchange("here"); book("Exchanger meet done");
            }
            latch.await(); book("CountDownLatch pass done");
        });
    }

    static void queues(boolean virtual) throws Exception {
        ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
        LinkedBlockingDeque<Integer> deque = new LinkedBlockingDeque<>(4);
        together(virtual, number -> {
            for (int i = 0; i < ROUNDS; i++) {
                if (number % 2 == 0) {
                    queue.put(i); book("ArrayBlockingQueue put done");
                    deque.put(i); book("LinkedBlockingDeque put done");
                } else {
                    queue.take(); book("ArrayBlockingQueue take done");
                    deque.takeFirst(); book("LinkedBlockingDeque take done");
                }
            }
        });
        tried("ArrayBlockingQueue", "take", queue.poll() != null);
    }
}
