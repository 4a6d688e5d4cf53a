// @lock TopicBroker$Topic
// @type PRODUCER-CONSUMER capacity=16
// @role put TopicBroker$Topic.publish
// @role take TopicBroker$Topic.next
//
// @lock TopicBroker$Subscriptions
// @type MUTEX
// @role enter TopicBroker$Subscriptions.advance
// @role enter TopicBroker$Subscriptions.slowest

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A message broker with two topics of sixteen places and a table of how far each subscriber has read. */
public class TopicBroker {

    static final class Message {
        final int publisher;
        final long serial;

        Message(int publisher, long serial) {
            this.publisher = publisher;
            this.serial = serial;
        }
    }

    static final class Topic {
        private final Message[] ring = new Message[16];
        private int head;
        private int size;

        synchronized void publish(Message m) throws InterruptedException {
            while (size == ring.length) {
                wait();
            }
            ring[(head + size) % ring.length] = m;
            size++;
            notifyAll();
        }

        synchronized Message next() throws InterruptedException {
            while (size == 0) {
                wait();
            }
            Message m = ring[head];
            ring[head] = null;
            head = (head + 1) % ring.length;
            size--;
            notifyAll();
            return m;
        }
    }

    /** Cursors are persisted while they are changed: that is what the millisecond is for. */
    static final class Subscriptions {
        private final Map<String, Long> cursors = new HashMap<String, Long>();
        private long total;

        synchronized void advance(String who) throws InterruptedException {
            Long c = cursors.get(who);
            cursors.put(who, c == null ? 1L : c + 1L);
            Thread.sleep(1);
            total++;
        }

        synchronized long slowest() {
            long min = Long.MAX_VALUE;
            long sum = 0;
            for (Long c : cursors.values()) {
                min = Math.min(min, c);
                sum += c;
            }
            if (sum != total) {
                fault = "cursors sum up to " + sum + ", not " + total;
            }
            return min;
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final Topic[] TOPICS = {new Topic(), new Topic()};
    static final Subscriptions SUBS = new Subscriptions();

    static void publisher(int id) throws InterruptedException {
        long serial = 0;
        while (true) {
            int burst = ThreadLocalRandom.current().nextInt(4, 14);
            for (int i = 0; i < burst; i++) {
                TOPICS[id % 2].publish(new Message(id, serial++));
            }
            Thread.sleep(burst * ThreadLocalRandom.current().nextInt(2, 11));
        }
    }

    static void subscriber(int id) throws InterruptedException {
        long[] last = {-1, -1, -1, -1};
        String name = "sub-" + id;
        while (true) {
            Message m = TOPICS[id % 2].next();
            if (m.serial <= last[m.publisher]) {
                fault = name + " saw " + m.serial + " after " + last[m.publisher];
            }
            last[m.publisher] = m.serial;
            SUBS.advance(name);
            OPS.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            final int id = i;
            Thread p = new Thread("publisher-" + id) {
                @Override public void run() {
                    try {
                        publisher(id);
                    } catch (InterruptedException e) {
                        fault = "interrupted";
                    }
                }
            };
            Thread s = new Thread("subscriber-" + id) {
                @Override public void run() {
                    try {
                        subscriber(id);
                    } catch (InterruptedException e) {
                        fault = "interrupted";
                    }
                }
            };
            p.setDaemon(true);
            s.setDaemon(true);
            p.start();
            s.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(20);
            SUBS.slowest();
        }
        if (fault != null) {
            System.out.println("FAULT " + fault);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }
}
