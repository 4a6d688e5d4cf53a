import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * Two loaders have all permits of a semaphore that the program has built itself and want the catalogue; its keeper has that and waits
 * for a permit. "library": a semaphore of java.util.concurrent.
 */
public final class PermitRing {
    static final class Catalogue { }

    interface Permits {
        void acquire() throws InterruptedException;

        void release();
    }

    static final class Slots implements Permits {
        private int free;

        Slots(int free) {
            this.free = free;
        }

        @Override
        public synchronized void acquire() throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
        }

        @Override
        public synchronized void release() {
            free++;
            notify();
        }
    }

    static final class Library implements Permits {
        private final Semaphore free;

        Library(int free) {
            this.free = new Semaphore(free);
        }

        @Override
        public void acquire() {
            free.acquireUninterruptibly();
        }

        @Override
        public void release() {
            free.release();
        }
    }

    private static void work(Permits slots) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            slots.acquire();
            Thread.yield();
            slots.release();
        }
    }

    private static void load(Permits slots, Catalogue catalogue, CountDownLatch had, CountDownLatch go) throws InterruptedException {
        slots.acquire();
        had.countDown();
        go.await();
        synchronized (catalogue) {
            throw new AssertionError("not stuck");
        }
    }

    private static void keep(Permits slots, Catalogue catalogue, CountDownLatch go) throws InterruptedException {
        synchronized (catalogue) {
            go.countDown();
            slots.acquire();
            throw new AssertionError("not stuck");
        }
    }

    interface Work {
        void run() throws InterruptedException;
    }

    private static Runnable of(Work work) {
        return () -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
    }

    public static void main(String[] args) throws InterruptedException {
        boolean library = args.length > 0 && args[0].equals("library");
        Permits slots = library ? new Library(2) : new Slots(2);
        Thread[] workers = new Thread[5];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(of(() -> work(slots)), "worker-" + i);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        Catalogue catalogue = new Catalogue();
        CountDownLatch had = new CountDownLatch(2), go = new CountDownLatch(1);
        Stage stage = new Stage();
        stage.start("loader-0", of(() -> load(slots, catalogue, had, go)));
        stage.start("loader-1", of(() -> load(slots, catalogue, had, go)));
        had.await();
        stage.start("keeper", of(() -> keep(slots, catalogue, go)));
        stage.standStill();
        System.out.println("PID " + ManagementFactory.getRuntimeMXBean().getName().split("@")[0]);
        new CountDownLatch(1).await();
    }
}
