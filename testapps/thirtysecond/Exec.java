// @lock Exec$FifoSemaphore
// @type SEMAPHORE permits=4
// @role acquire Exec$FifoSemaphore.acquire
// @role release Exec$FifoSemaphore.release

// @lock Exec$Strand
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Exec$Strand.execute
// @role take Exec$Strand.runOne

// @lock java.lang.Object#checkPaused
// @type CONDITION form=resettable-event
// @role wait Exec$Pause.checkPaused
// @role notify Exec$Pause.resume

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An executor: strands served by one thread each, a fair limit on what runs at once, and a switch that holds everything. */
public class Exec {
    static final class Waiter {
        private boolean granted;

        synchronized void await() throws InterruptedException {
            while (!granted) {
                wait();
            }
        }

        synchronized void grant() {
            granted = true;
            notify();
        }
    }

    static final class FifoSemaphore {
        private final Deque<Waiter> line = new ArrayDeque<>();
        private int free;

        FifoSemaphore(int permits) {
            free = permits;
        }

        void acquire() throws InterruptedException {
            Waiter w;
            synchronized (this) {
                if (free > 0) {
                    free--;
                    return;
                }
                w = new Waiter();
                line.addLast(w);
            }
            w.await();
        }

        void release() {
            Waiter w;
            synchronized (this) {
                w = line.pollFirst();
                if (w == null) {
                    free++;
                    return;
                }
            }
            w.grant();
        }
    }

    static final class Strand {
        private Runnable[] ring = new Runnable[8];
        private int head;
        private int size;

        synchronized void execute(Runnable r) {
            if (size == ring.length) {
                Runnable[] bigger = new Runnable[size * 2];
                for (int i = 0; i < size; i++) {
                    bigger[i] = ring[(head + i) % size];
                }
                ring = bigger;
                head = 0;
            }
            ring[(head + size++) % ring.length] = r;
            if (size == 1) {
                notify();
            }
        }

        void runOne() throws InterruptedException {
            Runnable r;
            synchronized (this) {
                while (size == 0) {
                    wait();
                }
                r = ring[head];
                ring[head] = null;
                head = (head + 1) % ring.length;
                size--;
            }
            r.run();
        }
    }

    static final class Pause {
        private volatile boolean paused;
        private final Object monitor = new Object();

        void checkPaused() throws InterruptedException {
            if (paused) {
                synchronized (monitor) {
                    while (paused) {
                        monitor.wait();
                    }
                }
            }
        }

        void pauseAll() {
            paused = true;
        }

        void resume() {
            synchronized (monitor) {
                paused = false;
                monitor.notifyAll();
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        FifoSemaphore limit = new FifoSemaphore(4);
        Pause gate = new Pause();
        Strand[] strands = new Strand[2];
        AtomicInteger running = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            Strand s = strands[i] = new Strand();
            loop("strand-" + i, s::runOne);
        }
        for (int i = 0; i < 7; i++) {
            Strand s = strands[i % 2];
            loop("pool-" + i, () -> {
                gate.checkPaused();
                limit.acquire();
                check(running.incrementAndGet() <= 4, "limit");
                pause(1, 5);
                running.decrementAndGet();
                limit.release();
                s.execute(OPS::incrementAndGet);
            });
        }
        loop("admin", () -> {
            pause(20, 50);
            gate.pauseAll();
            pause(3, 12);
            gate.resume();
        });
        finish(args);
    }
}
