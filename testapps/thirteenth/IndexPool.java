// An indexer's thread pool: submitters are held back at eight tasks, and at the end of each folder wait until the pool
// has nothing left to do and nobody is at work. Queue and idleness share one monitor, and a base class has the loop.
//
// @lock IndexPool$Pool
// @type PRODUCER-CONSUMER+CONDITION capacity=8
// @role put IndexPool$Pool.execute
// @role take IndexPool$Pool.next
// @role wait IndexPool$Pool.awaitIdle
// @role notify IndexPool$Pool.finished

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class IndexPool {
    static volatile String broken;
    static final AtomicLong folders = new AtomicLong();

    static abstract class Loop implements Runnable {
        @Override
        public final void run() {
            try {
                for (;;)
                    once();
            } catch (InterruptedException | RuntimeException e) {
                broken = Thread.currentThread().getName() + ": " + e;
            }
        }

        abstract void once() throws InterruptedException;

        void start(String name) {
            Thread t = new Thread(this, name);
            t.setDaemon(true);
            t.start();
        }
    }

    static final class Pool extends Loop {
        private static final int LIMIT = 8;
        private final ArrayDeque<Task> queue = new ArrayDeque<>();
        private int busy;

        synchronized void execute(Task task) throws InterruptedException {
            while (queue.size() == LIMIT)
                wait();
            queue.addLast(task);
            notifyAll();
        }

        private synchronized Task next() throws InterruptedException {
            while (queue.isEmpty())
                wait();
            Task task = queue.removeFirst();
            busy++;
            notifyAll();
            return task;
        }

        private synchronized void finished() {
            busy--;
            if (busy == 0 && queue.isEmpty())
                notifyAll();
        }

        synchronized void awaitIdle() throws InterruptedException {
            while (busy > 0 || !queue.isEmpty())
                wait();
        }

        @Override
        void once() throws InterruptedException {
            Task task = next();
            try {
                task.perform();
            } finally {
                finished();
            }
        }
    }

    static final class Task {
        private final AtomicInteger left;

        Task(AtomicInteger left) {
            this.left = left;
        }

        void perform() throws InterruptedException {
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(2));
            left.decrementAndGet();
        }
    }

    static final class Crawler extends Loop {
        private final Pool pool;

        Crawler(Pool pool) {
            this.pool = pool;
        }

        @Override
        void once() throws InterruptedException {
            int files = ThreadLocalRandom.current().nextInt(14, 22);
            AtomicInteger left = new AtomicInteger(files);
            for (int i = 0; i < files; i++)
                pool.execute(new Task(left));
            pool.awaitIdle();
            if (left.get() != 0)
                broken = left + " files are not indexed";
            folders.incrementAndGet();
            Thread.sleep(4);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Pool pool = new Pool();
        for (int i = 0; i < 3; i++)
            pool.start("indexer-" + i);
        Crawler crawler = new Crawler(pool);
        crawler.start("crawler-a");
        crawler.start("crawler-b");
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (broken == null && System.nanoTime() < end)
            Thread.sleep(20);
        if (broken == null && folders.get() == 0)
            broken = "no folder done";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + folders.get());
    }
}
