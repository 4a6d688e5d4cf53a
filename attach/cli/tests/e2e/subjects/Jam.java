import java.lang.reflect.Method;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Gets stuck at its first line of input, in the way its argument says: `lockout` (who waits holds what those need that would wake
 * it), `busy` (the holder is at work and does not come to an end), `owners` (locks of java.util.concurrent whose holders sleep,
 * have ended, or read), `parked` (a full queue, and whatever else threads park on without being stuck for sure), `ring` (a deadlock of
 * two such locks), `child` (who waits for a process holds a monitor) or `virtual` (two virtual threads block on each other). When it is
 * stuck there is a thread called `stuck`.
 */
public final class Jam {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    /** A box whose lid must be held to look inside, and which is asked to wake who waits inside. */
    private static final class Box {
        private final Object inside = new Object();
        private int items;

        synchronized void take() throws InterruptedException {
            synchronized (inside) {
                while (items == 0) {
                    inside.wait();
                }
                items--;
            }
        }

        synchronized void put() {
            synchronized (inside) {
                items++;
                inside.notify();
            }
        }
    }

    private static void become(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }

    private static Thread start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void lockout() throws InterruptedException {
        Box box = new Box();
        Runnable take = () -> {
            try {
                box.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        become(start(take, "taker"), Thread.State.WAITING);
        for (int i = 0; i < 2; i++) {
            become(start(box::put, "putter-" + i), Thread.State.BLOCKED);
        }
    }

    private static void busy() throws InterruptedException {
        CountDownLatch holding = new CountDownLatch(1);
        start(() -> grind(holding), "grinder");
        holding.await();
        become(start(() -> grind(holding), "visitor"), Thread.State.BLOCKED);
    }

    private static void crowd() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Object stone = new Object();
            become(start(() -> sleepOn(stone), "sleeper-" + i), Thread.State.TIMED_WAITING);
            for (int visitor = i == 1 ? 20 : 1; visitor > 0; visitor--) {
                become(start(() -> sleepOn(stone), "visitor"), Thread.State.BLOCKED);
            }
        }
    }

    private static void sleepOn(Object stone) {
        synchronized (stone) {
            sleep();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(600_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void grind(CountDownLatch holding) {
        synchronized (LEFT) {
            holding.countDown();
            turn();
        }
    }

    private static void turn() {
        while (true) {
            Thread.yield();
        }
    }

    /** What may be interrupted, which here it is not. */
    private interface Step {
        void run() throws Exception;
    }

    private static Thread daemon(String name, Step step) {
        Runnable work = () -> {
            try {
                step.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        return start(work, name);
    }

    private static void parked(String name, Step step) throws InterruptedException {
        become(daemon(name, step), Thread.State.WAITING);
    }

    private static void takeAndSleep(Lock lock) {
        lock.lock();
        sleep();
    }

    private static void enter(Lock lock) {
        lock.lock();
        lock.unlock();
    }

    private static void owners() throws InterruptedException {
        Lock plain = new ReentrantLock();
        become(start(() -> takeAndSleep(plain), "miner"), Thread.State.TIMED_WAITING);
        parked("miner-guest", () -> enter(plain));
        ReentrantReadWriteLock written = new ReentrantReadWriteLock();
        become(start(() -> takeAndSleep(written.writeLock()), "writer"), Thread.State.TIMED_WAITING);
        parked("writer-guest", () -> enter(written.readLock()));
        Lock left = new ReentrantLock();
        start(left::lock, "gone").join();
        parked("gone-guest", () -> enter(left));
        ReentrantReadWriteLock read = new ReentrantReadWriteLock();
        become(start(() -> takeAndSleep(read.readLock()), "reader"), Thread.State.TIMED_WAITING);
        parked("reader-guest", () -> enter(read.writeLock()));
    }

    private static void parked() throws Exception {
        ArrayBlockingQueue<String> full = new ArrayBlockingQueue<>(1);
        full.put("one");
        parked("feeder", () -> full.put("two"));
        LinkedBlockingQueue<String> empty = new LinkedBlockingQueue<>();
        parked("eater", empty::take);
        Semaphore none = new Semaphore(0);
        parked("borrower", none::acquire);
        CountDownLatch closed = new CountDownLatch(2);
        parked("awaiter", closed::await);
        FutureTask<String> task = new FutureTask<>(() -> "never run");
        parked("getter", task::get);
        CompletableFuture<String> promise = new CompletableFuture<>();
        parked("joiner", promise::get);
        ExecutorService pool = Executors.newFixedThreadPool(2, work -> {
            Thread thread = new Thread(work, "idle-worker");
            thread.setDaemon(true);
            return thread;
        });
        pool.submit(() -> "done").get();
        pool.submit(() -> "done").get();
    }

    private static void takeBoth(Lock first, Lock second, CountDownLatch holding) {
        first.lock();
        meet(holding);
        second.lock();
    }

    private static void ring() throws InterruptedException {
        CountDownLatch holding = new CountDownLatch(2);
        Lock one = new ReentrantLock();
        Lock other = new ReentrantLock();
        Thread[] threads = {
            start(() -> takeBoth(one, other, holding), "one-other"),
            start(() -> takeBoth(other, one, holding), "other-one"),
        };
        for (Thread thread : threads) {
            become(thread, Thread.State.WAITING);
        }
    }

    private static void child() throws Exception {
        // Ends with this program, whose end of the pipe it reads.
        Process child = new ProcessBuilder("cat").start();
        parked("parent", () -> {
            synchronized (LEFT) {
                child.waitFor();
            }
        });
        Thread guest = start(() -> grind(new CountDownLatch(1)), "parent-guest");
        become(guest, Thread.State.BLOCKED);
    }

    private static void leftRight(CountDownLatch holding) {
        synchronized (LEFT) {
            meet(holding);
            synchronized (RIGHT) {
                System.out.println("not reached");
            }
        }
    }

    private static void rightLeft(CountDownLatch holding) {
        synchronized (RIGHT) {
            meet(holding);
            synchronized (LEFT) {
                System.out.println("not reached");
            }
        }
    }

    /** Yields, which a virtual thread that holds a monitor does on its carrier. */
    private static void meet(CountDownLatch holding) {
        holding.countDown();
        while (holding.getCount() > 0) {
            Thread.yield();
        }
    }

    private static void virtual() throws Exception {
        CountDownLatch holding = new CountDownLatch(2);
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Runnable[] works = {() -> leftRight(holding), () -> rightLeft(holding)};
        Thread[] threads = new Thread[works.length];
        for (int i = 0; i < works.length; i++) {
            threads[i] = (Thread) start.invoke(null, works[i]);
        }
        for (Thread thread : threads) {
            become(thread, Thread.State.BLOCKED);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("READY");
        System.in.read();
        switch (args[0]) {
            case "virtual":
                virtual();
                break;
            case "busy":
                busy();
                break;
            case "owners":
                owners();
                break;
            case "parked":
                parked();
                break;
            case "ring":
                ring();
                break;
            case "child":
                child();
                break;
            case "crowd":
                crowd();
                break;
            default:
                lockout();
        }
        start(Jam::sleep, "stuck");
        Thread.sleep(600_000);
    }
}
