import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.ReentrantLock;

/** Locks whose classes extend those of java.util.concurrent, and a class that has a method of the same name and is none. */
public class Heirs {
    static final class Alone extends ReentrantLock {}

    static final class Line extends ArrayBlockingQueue<Integer> {
        Line() {
            super(2);
        }
    }

    static final class Gate extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int ignored) {
            return compareAndSetState(0, 1);
        }

        @Override
        protected boolean tryRelease(int ignored) {
            setState(0);
            return true;
        }
    }

    /** Is loaded when the others have been used for long. */
    static final class Late extends ReentrantLock {}

    static final class Other {
        int locked;

        void lock() {
            locked++;
        }
    }

    static final Alone ALONE = new Alone();
    static final Line LINE = new Line();
    static final Gate GATE = new Gate();

    static void alone() {
        ALONE.lock();
        ALONE.unlock();
    }

    static void line(int i) throws InterruptedException {
        LINE.put(i);
        LINE.take();
    }

    static void gate() {
        GATE.acquire(1);
        GATE.release(1);
    }

    static void late(Late late) {
        late.lock();
        late.unlock();
    }

    /** Calls what is no lock; then the JDK takes a lock of its own. */
    static void stray(Other other, ExecutorService pool) {
        other.lock();
        pool.execute(() -> {});
    }

    public static void main(String[] args) throws Exception {
        Other other = new Other();
        for (int i = 0; i < 20; i++) {
            alone();
            line(i);
            gate();
            ExecutorService pool = Executors.newFixedThreadPool(2);
            stray(other, pool);
            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.MINUTES);
        }
        Late late = new Late();
        for (int i = 0; i < 20; i++) {
            late(late);
        }
        System.out.println("DONE " + other.locked);
    }
}
