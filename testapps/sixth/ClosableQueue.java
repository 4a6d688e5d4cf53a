// @lock ClosableQueue
// @type PRODUCER-CONSUMER capacity=8
// @role put ClosableQueue.offer
// @role take ClosableQueue.take
// @role take ClosableQueue.drainTo

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A bounded queue of a collections library that can be closed: what is in it is still taken, nothing more is put. */
public final class ClosableQueue<E> {
    private final ArrayDeque<E> elements = new ArrayDeque<>();
    private final int capacity;
    private boolean closed;

    public ClosableQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Waits for room. Returns false if the queue is closed. */
    public boolean offer(E element) throws InterruptedException {
        if (element == null) {
            throw new NullPointerException("element");
        }
        synchronized (this) {
            while (!closed && elements.size() >= capacity) {
                wait();
            }
            if (closed) {
                return false;
            }
            elements.addLast(element);
            notifyAll();
            return true;
        }
    }

    /** Waits for an element. Returns null if the queue is closed and empty. */
    public synchronized E take() throws InterruptedException {
        awaitElement();
        E element = elements.pollFirst();
        if (element != null) {
            notifyAll();
        }
        return element;
    }

    /** Waits for one element at least and takes all there are. */
    public synchronized int drainTo(Collection<? super E> target) throws InterruptedException {
        awaitElement();
        int n = elements.size();
        if (n > 0) {
            target.addAll(elements);
            elements.clear();
            notifyAll();
        }
        return n;
    }

    private void awaitElement() throws InterruptedException {
        while (elements.isEmpty() && !closed) {
            wait();
        }
    }

    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private static final AtomicLong put = new AtomicLong();
    private static final AtomicLong putSum = new AtomicLong();
    private static final AtomicLong taken = new AtomicLong();
    private static final AtomicLong takenSum = new AtomicLong();

    private static void produce(ClosableQueue<Integer> queue) throws InterruptedException {
        for (;;) {
            int burst = ThreadLocalRandom.current().nextInt(1, 12);
            for (int i = 0; i < burst; i++) {
                int number = ThreadLocalRandom.current().nextInt(1000);
                if (!queue.offer(number)) {
                    return;
                }
                put.incrementAndGet();
                putSum.addAndGet(number);
            }
            Thread.sleep(burst * 2 / 3);
        }
    }

    private static void consume(ClosableQueue<Integer> queue) throws InterruptedException {
        for (Integer number; (number = queue.take()) != null; ) {
            taken.incrementAndGet();
            takenSum.addAndGet(number);
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
        }
    }

    private static void sweep(ClosableQueue<Integer> queue) throws InterruptedException {
        List<Integer> batch = new ArrayList<>();
        while (queue.drainTo(batch) > 0) {
            if (batch.size() > 8) {
                throw new IllegalStateException("the queue held " + batch.size());
            }
            taken.addAndGet(batch.size());
            batch.forEach(takenSum::addAndGet);
            batch.clear();
            Thread.sleep(5);
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static Thread start(Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ClosableQueue<Integer> queue = new ClosableQueue<>(8);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(start(() -> produce(queue)));
            threads.add(start(() -> consume(queue)));
        }
        threads.add(start(() -> sweep(queue)));
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        queue.close();
        for (Thread t : threads) {
            t.join(10_000);
        }
        if (put.get() != taken.get() || putSum.get() != takenSum.get()) {
            throw new IllegalStateException(put + " put, " + taken + " taken");
        }
        System.out.println("DONE " + taken);
    }
}
