// @lock MessageBroker$Topic
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put MessageBroker$Topic.publish
// @role take MessageBroker$Topic.receive

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A message broker: messages are kept for consumers that are busy and handed to the one that has been idle longest otherwise.
 *
 * <p>The queue has a monitor, and so has every consumer's slot, which is filled directly if somebody waits.
 */
public final class MessageBroker {
    static final class Slot<T> {
        private T item;

        synchronized void fill(T t) {
            item = t;
            notify();
        }

        synchronized T empty() throws InterruptedException {
            while (item == null) {
                wait();
            }
            T t = item;
            item = null;
            return t;
        }
    }

    static final class Topic<T> {
        private final Queue<T> backlog = new ArrayDeque<>();
        private final Queue<Slot<T>> idle = new ArrayDeque<>();

        void publish(T message) {
            Slot<T> slot;
            synchronized (this) {
                slot = idle.poll();
                if (slot == null) {
                    backlog.add(message);
                }
            }
            if (slot != null) {
                slot.fill(message);
            }
        }

        T receive() throws InterruptedException {
            Slot<T> slot;
            synchronized (this) {
                if (!backlog.isEmpty()) {
                    return backlog.remove();
                }
                slot = new Slot<>();
                idle.add(slot);
            }
            return slot.empty();
        }
    }

    private static final AtomicLong published = new AtomicLong();
    private static final AtomicLong received = new AtomicLong();
    private static final AtomicLong difference = new AtomicLong();
    private static volatile boolean stop;
    private static volatile boolean broken;

    private static void produce(Topic<Long> topic) throws InterruptedException {
        while (!stop) {
            for (int burst = ThreadLocalRandom.current().nextInt(1, 4); burst > 0; burst--) {
                long n = published.incrementAndGet();
                difference.addAndGet(n);
                topic.publish(n);
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
        }
    }

    private static void consume(Topic<Long> topic) throws InterruptedException {
        while (true) {
            difference.addAndGet(-topic.receive());
            received.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    interface Side {
        void run(Topic<Long> topic) throws InterruptedException;
    }

    private static void start(String name, Topic<Long> topic, Side side) {
        Thread t = new Thread(() -> {
            try {
                side.run(topic);
            } catch (InterruptedException e) {
                broken = true;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Topic<Long> topic = new Topic<>();
        for (int i = 0; i < 3; i++) {
            start("producer-" + i, topic, MessageBroker::produce);
        }
        for (int i = 0; i < 5; i++) {
            start("consumer-" + i, topic, MessageBroker::consume);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        Thread.sleep(100);
        long deadline = System.currentTimeMillis() + 5000;
        while (received.get() < published.get() && System.currentTimeMillis() < deadline) {
            Thread.sleep(5);
        }
        Thread.sleep(20);
        if (broken || received.get() != published.get() || difference.get() != 0) {
            throw new IllegalStateException("published " + published + ", received " + received);
        }
        System.out.println("DONE " + received);
    }
}
