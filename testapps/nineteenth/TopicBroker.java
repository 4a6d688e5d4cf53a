// A message broker whose authors named things oddly: the "Semaphore" is the queue of a topic, its release adds a message and its acquire
// removes one; the "Queue" is what admits two dispatchers at a time to the disk. Names mislead.
//
// @lock TopicBroker$Semaphore
// @type PRODUCER-CONSUMER capacity=4
// @role put TopicBroker$Semaphore.release
// @role take TopicBroker$Semaphore.acquire
//
// @lock TopicBroker$Queue
// @type SEMAPHORE permits=2
// @role acquire TopicBroker$Queue.put
// @role release TopicBroker$Queue.take

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class TopicBroker {
    static final AtomicLong delivered = new AtomicLong();
    static final AtomicInteger onDisk = new AtomicInteger();
    static volatile String broken;

    static class Semaphore {
        private String[] permits = new String[4];
        private int count;
        private long in;
        private long out;

        synchronized void release(String permit) throws InterruptedException {
            while (count == permits.length) {
                wait();
            }
            permits[count++] = permit;
            in++;
            notifyAll();
        }

        synchronized String acquire() throws InterruptedException {
            while (count == 0) {
                wait();
            }
            String first = permits[0];
            System.arraycopy(permits, 1, permits, 0, --count);
            permits[count] = null;
            out++;
            if (in - out != count) {
                broken = "messages lost";
            }
            notifyAll();
            return first;
        }
    }

    static class Queue {
        private boolean head;
        private boolean tail;

        synchronized int put() throws InterruptedException {
            while (head && tail) {
                wait();
            }
            if (head) {
                tail = true;
                return 1;
            }
            head = true;
            return 0;
        }

        synchronized void take(int which) {
            if (which == 1) {
                tail = false;
            } else {
                head = false;
            }
            notify();
        }
    }

    static void publish(Semaphore[] topics) throws InterruptedException {
        ThreadLocalRandom rnd = ThreadLocalRandom.current();
        for (int i = 0;; i++) {
            topics[rnd.nextInt(topics.length)].release("m" + i);
            Thread.sleep(i % 12 < 9 ? 1 : 25);
        }
    }

    static void dispatch(Semaphore topic, Queue disk) throws InterruptedException {
        while (true) {
            String m = topic.acquire();
            if (m == null || m.charAt(0) != 'm') {
                broken = "no message: " + m;
            }
            int slot = disk.put();
            try {
                if (onDisk.incrementAndGet() > 2) {
                    broken = "three on the disk";
                }
                Thread.sleep(2 + ThreadLocalRandom.current().nextInt(3));
                onDisk.decrementAndGet();
            } finally {
                disk.take(slot);
            }
            delivered.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Semaphore[] topics = {new Semaphore(), new Semaphore()};
        Queue disk = new Queue();
        for (int i = 0; i < 8; i++) {
            final int n = i;
            Thread t = new Thread(() -> {
                try {
                    if (n < 4) {
                        publish(topics);
                    } else {
                        dispatch(topics[n & 1], disk);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, (n < 4 ? "publisher-" : "dispatcher-") + n);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + delivered.get());
        System.exit(broken != null ? 1 : 0);
    }
}
