import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** Synchronizers that a program has built of the JDK's queue of threads, with names that say nothing. */
public final class OwnSynchronizers {
    /** Passes once it has been opened; a new one is made for each round. */
    static final class A extends AbstractQueuedSynchronizer {
        @Override
        protected int tryAcquireShared(int n) {
            return getState() != 0 ? 1 : -1;
        }

        @Override
        protected boolean tryReleaseShared(int n) {
            setState(1);
            return true;
        }
    }

    /** Two may be in; how many are is in a number of its own. */
    static final class B {
        final AtomicLong in = new AtomicLong();
        final AbstractQueuedSynchronizer queue = new Queue();

        final class Queue extends AbstractQueuedSynchronizer {
            @Override
            protected int tryAcquireShared(int n) {
                if (in.incrementAndGet() > 2) {
                    in.decrementAndGet();
                    return -1;
                }
                return 1;
            }

            @Override
            protected boolean tryReleaseShared(int n) {
                in.decrementAndGet();
                return true;
            }
        }

        void c() throws InterruptedException {
            queue.acquireSharedInterruptibly(1);
        }

        void d() {
            queue.releaseShared(1);
        }
    }

    /** One may be in, and nobody is told who. */
    static final class E extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int n) {
            return compareAndSetState(0, 1);
        }

        @Override
        protected boolean tryRelease(int n) {
            setState(0);
            return true;
        }

        void f() {
            acquire(1);
        }

        void g() {
            release(1);
        }
    }

    private static volatile A round = new A();

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    work.run();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void await() throws InterruptedException {
        round.acquireSharedInterruptibly(1);
        Thread.sleep(1);
    }

    public static void main(String[] args) throws InterruptedException {
        B b = new B();
        E e = new E();
        for (int i = 0; i < 4; i++) {
            start(OwnSynchronizers::await);
            start(() -> {
                b.c();
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 20));
                b.d();
            });
            start(() -> {
                e.f();
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 20));
                e.g();
            });
        }
        start(() -> {
            Thread.sleep(100);
            A last = round;
            round = new A();
            last.releaseShared(1);
        });
        System.out.println("READY");
        Thread.sleep(600_000);
    }
}
