// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put PoolBoys$WorkQueue.execute
// @role take PoolBoys$PoolWorker.run

import java.util.LinkedList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** The work queue of a well-known article: a linked list that is its own lock, and pool threads that survive what they run. */
public class PoolBoys {
    static class WorkQueue {
        private final LinkedList<Runnable> queue;
        private final PoolWorker[] threads;

        WorkQueue(int nThreads) {
            queue = new LinkedList<Runnable>();
            threads = new PoolWorker[nThreads];
            for (int i = 0; i < nThreads; i++) {
                threads[i] = new PoolWorker(queue);
                threads[i].setDaemon(true);
                threads[i].start();
            }
        }

        void execute(Runnable r) {
            synchronized (queue) {
                queue.addLast(r);
                queue.notify();
            }
        }

        int crashed() {
            int n = 0;
            for (PoolWorker t : threads) {
                n += t.crashed;
            }
            return n;
        }
    }

    static class PoolWorker extends Thread {
        private final LinkedList<Runnable> queue;
        volatile int crashed;

        PoolWorker(LinkedList<Runnable> queue) {
            this.queue = queue;
        }

        @Override
        public void run() {
            Runnable r;
            while (true) {
                synchronized (queue) {
                    while (queue.isEmpty()) {
                        try {
                            queue.wait();
                        } catch (InterruptedException ignored) {
                            // keep working
                        }
                    }
                    r = queue.removeFirst();
                }
                // If we don't catch RuntimeException, the pool could leak threads
                try {
                    r.run();
                } catch (RuntimeException e) {
                    crashed++;
                }
            }
        }
    }

    static final AtomicLong submitted = new AtomicLong();
    static final AtomicLong executed = new AtomicLong();
    static final AtomicLong bad = new AtomicLong();
    static volatile boolean stop;

    static class Request implements Runnable {
        private final int size;
        private boolean ran;

        Request(int size) {
            this.size = size;
        }

        @Override
        public void run() {
            if (ran) {
                bad.incrementAndGet();
            }
            ran = true;
            executed.incrementAndGet();
            try {
                Thread.sleep(size % 4);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (size == 13) {
                throw new IllegalArgumentException("unlucky request");
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final WorkQueue pool = new WorkQueue(5);
        Thread[] clients = new Thread[4];
        for (int i = 0; i < clients.length; i++) {
            final Random random = new Random(i);
            clients[i] = new Thread("client " + i) {
                @Override
                public void run() {
                    while (!stop) {
                        int burst = 1 + random.nextInt(3);
                        submitted.addAndGet(burst);
                        for (int k = 0; k < burst; k++) {
                            pool.execute(new Request(random.nextInt(100)));
                        }
                        try {
                            sleep(2 + random.nextInt(8));
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                }
            };
            clients[i].setDaemon(true);
            clients[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        stop = true;
        for (int i = 0; i < 2000 && executed.get() != submitted.get(); i++) {
            Thread.sleep(1);
        }
        Thread.sleep(20);
        if (bad.get() != 0 || executed.get() != submitted.get()) {
            System.err.println(submitted + " submitted, " + executed + " executed");
            System.exit(1);
        }
        System.err.println(pool.crashed() + " requests crashed");
        System.out.println("DONE " + executed);
    }
}
