import edu.emory.mathcs.backport.java.util.concurrent.ArrayBlockingQueue;
import edu.emory.mathcs.backport.java.util.concurrent.BlockingQueue;
import edu.emory.mathcs.backport.java.util.concurrent.CountDownLatch;
import edu.emory.mathcs.backport.java.util.concurrent.CyclicBarrier;
import edu.emory.mathcs.backport.java.util.concurrent.Exchanger;
import edu.emory.mathcs.backport.java.util.concurrent.FutureTask;
import edu.emory.mathcs.backport.java.util.concurrent.LinkedBlockingQueue;
import edu.emory.mathcs.backport.java.util.concurrent.Semaphore;
import edu.emory.mathcs.backport.java.util.concurrent.SynchronousQueue;
import edu.emory.mathcs.backport.java.util.concurrent.locks.Lock;
import edu.emory.mathcs.backport.java.util.concurrent.locks.ReadWriteLock;
import edu.emory.mathcs.backport.java.util.concurrent.locks.ReentrantLock;
import edu.emory.mathcs.backport.java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.ArrayList;
import java.util.List;

/**
 * backport-util-concurrent 3.1, java.util.concurrent for Java 1.4, all of it built on monitors: every class is used by
 * threads of its own. What each of them is stands in {@code BackportDriver.locks}; needs the jar of {@code fetch backport}.
 */
public final class BackportDriver {
    private static final int CAPACITY = 3;
    private static final int PARTIES = 3;
    private static final int PERMITS = 3;

    private final List<Load.Task> threads = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        BackportDriver driver = new BackportDriver();
        driver.locks();
        driver.channels();
        driver.meetings();
        driver.openings();
        Load.run(args, driver.threads.size(), driver.threads::get);
    }

    private void start(int count, Load.Task task) {
        for (int i = 0; i < count; i++) {
            threads.add(task);
        }
    }

    private void locks() {
        locked(4, new ReentrantLock());
        locked(4, new ReentrantLock(true));
        permitted(new Semaphore(PERMITS));
        permitted(new Semaphore(PERMITS, true));
        ReadWriteLock shared = new ReentrantReadWriteLock();
        locked(3, shared.readLock());
        locked(2, shared.writeLock());
    }

    private void locked(int count, Lock lock) {
        start(count, () -> {
            lock.lock();
            try {
                Pause.work();
            } finally {
                lock.unlock();
            }
            Pause.rest();
        });
    }

    private void permitted(Semaphore semaphore) {
        start(5, () -> {
            semaphore.acquire();
            Pause.work();
            semaphore.release();
            Pause.rest();
        });
    }

    private void channels() {
        passed(new ArrayBlockingQueue(CAPACITY));
        passed(new LinkedBlockingQueue(CAPACITY));
        passed(new SynchronousQueue());
    }

    private void passed(BlockingQueue queue) {
        start(2, () -> {
            queue.put("thing");
            Pause.rest();
        });
        start(2, () -> {
            queue.take();
            Pause.rest();
        });
    }

    private void meetings() {
        CyclicBarrier barrier = new CyclicBarrier(PARTIES);
        start(PARTIES, () -> {
            Pause.rest();
            barrier.await();
        });
        Exchanger exchanger = new Exchanger();
        start(2, () -> {
            Pause.rest();
            exchanger.exchange("gift");
        });
    }

    private void openings() {
        Rounds.of(() -> new CountDownLatch(3), 3, CountDownLatch::await, CountDownLatch::countDown, threads);
        Rounds.of(() -> new FutureTask(() -> "done"), 1, FutureTask::get, FutureTask::run, threads);
    }
}
