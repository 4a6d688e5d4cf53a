// @lock TopicHub$Mailbox
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put TopicHub$Mailbox.deliver
// @role take TopicHub$Mailbox.receive

// @lock java.lang.Object#startPublish
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock TopicHub$Topic.startPublish
// @role read-unlock TopicHub$Topic.endPublish
// @role write-lock TopicHub$Topic.startChange
// @role write-unlock TopicHub$Topic.endChange

// @lock TopicHub$Retained
// @type LATCH count=1
// @role count-down TopicHub$Retained.set
// @role await TopicHub$Retained.get
// @quiet

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Publish and subscribe: topics with subscriber lists read by publishers together, a mailbox for each subscriber, a retained message that late comers wait for. */
public class TopicHub {
    static final class Mailbox {
        private static final class Letter {
            final String text;
            Letter next;

            Letter(String text) {
                this.text = text;
            }
        }

        private Letter first;
        private Letter last;

        synchronized void deliver(String text) {
            Letter l = new Letter(text);
            if (first == null) {
                first = l;
            } else {
                last.next = l;
            }
            last = l;
            notify();
        }

        synchronized String receive(long timeout) throws InterruptedException {
            if (first == null) {
                wait(timeout);
            }
            if (first == null) {
                return null;
            }
            Letter l = first;
            first = l.next;
            return l.text;
        }
    }

    static final class Retained {
        private String message;

        void set(String m) {
            synchronized (this) {
                if (message == null) {
                    message = m;
                    notifyAll();
                }
            }
        }

        String get() throws InterruptedException {
            synchronized (this) {
                while (message == null) {
                    wait();
                }
                return message;
            }
        }
    }

    static final class Topic {
        private final Object monitor = new Object();
        private final List<Mailbox> subscribers = new ArrayList<>();
        private int publishing;
        private boolean changing;

        void startPublish() throws InterruptedException {
            synchronized (monitor) {
                while (changing) {
                    monitor.wait();
                }
                publishing++;
            }
        }

        void endPublish() {
            synchronized (monitor) {
                if (--publishing == 0) {
                    monitor.notifyAll();
                }
            }
        }

        void startChange() throws InterruptedException {
            synchronized (monitor) {
                while (changing || publishing > 0) {
                    monitor.wait();
                }
                changing = true;
            }
        }

        void endChange() {
            synchronized (monitor) {
                changing = false;
                monitor.notifyAll();
            }
        }

        void publish(String text) throws InterruptedException {
            startPublish();
            try {
                for (Mailbox m : subscribers) {
                    m.deliver(text);
                }
                pause(1, 3);
            } finally {
                endPublish();
            }
        }

        void subscribe(Mailbox m) throws InterruptedException {
            startChange();
            try {
                subscribers.add(m);
                pause(1, 3);
            } finally {
                endChange();
            }
        }

        void unsubscribe(Mailbox m) throws InterruptedException {
            startChange();
            try {
                subscribers.remove(m);
            } finally {
                endChange();
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
        Topic topic = new Topic();
        Queue<Retained> retained = new java.util.concurrent.ConcurrentLinkedQueue<>();
        for (int i = 0; i < 3; i++) {
            loop("publisher-" + i, () -> {
                topic.publish("tick");
                Retained r = retained.poll();
                if (r != null) {
                    r.set("kept");
                }
                pause(3, 9);
            });
        }
        for (int i = 0; i < 4; i++) {
            loop("subscriber-" + i, () -> {
                Mailbox m = new Mailbox();
                Retained r = new Retained();
                retained.add(r);
                topic.subscribe(m);
                for (int k = 0; k < 6; k++) {
                    String s = m.receive(5000);
                    check("tick".equals(s), "no message for five seconds");
                }
                topic.unsubscribe(m);
                check(r.get().equals("kept"), "retained");
            });
        }
        finish(args);
    }
}
