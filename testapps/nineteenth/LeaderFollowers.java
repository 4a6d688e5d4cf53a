// The leader/followers pattern: of a pool of threads exactly one, the leader, waits at the event source; before
// it handles what it got it promotes a follower. Events are posted by device interrupts and never refused.
//
// @lock LeaderFollowers$Leadership
// @type LOCK reentrant=false
// @role lock LeaderFollowers$Leadership.lead
// @role unlock LeaderFollowers$Leadership.promoteFollower
//
// @lock LeaderFollowers$EventSource
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put LeaderFollowers$EventSource.post
// @role take LeaderFollowers$EventSource.select

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class LeaderFollowers {
    static final AtomicLong handled = new AtomicLong();
    static final AtomicInteger leaders = new AtomicInteger();
    static volatile String broken;

    static final class Leadership {
        private Thread leader;

        synchronized void lead() throws InterruptedException {
            if (leader == Thread.currentThread()) {
                throw new IllegalStateException("leads already");
            }
            while (leader != null) {
                wait();
            }
            leader = Thread.currentThread();
        }

        synchronized void promoteFollower() {
            if (leader != Thread.currentThread()) {
                throw new IllegalStateException("not the leader");
            }
            leader = null;
            notify();
        }
    }

    static final class EventSource {
        private static final class Event {
            final long number;
            Event next;

            Event(long number) {
                this.number = number;
            }
        }

        private Event first;
        private Event last;
        private long posted;

        synchronized void post() {
            Event e = new Event(++posted);
            if (last == null) {
                first = e;
            } else {
                last.next = e;
            }
            last = e;
            notify();
        }

        synchronized long select() throws InterruptedException {
            while (first == null) {
                wait();
            }
            Event e = first;
            first = e.next;
            if (first == null) {
                last = null;
            }
            return e.number;
        }
    }

    static long lastSeen; // guarded by leadership

    static void poolThread(Leadership leadership, EventSource source) throws InterruptedException {
        while (true) {
            leadership.lead();
            long event;
            try {
                if (leaders.incrementAndGet() != 1) {
                    broken = "two leaders";
                }
                event = source.select();
                if (event != lastSeen + 1) {
                    broken = "event skipped";
                }
                lastSeen = event;
                leaders.decrementAndGet();
            } finally {
                leadership.promoteFollower();
            }
            Thread.sleep(1 + event % 6); // handle it
            handled.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Leadership leadership = new Leadership();
        EventSource source = new EventSource();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(() -> {
                try {
                    poolThread(leadership, source);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "pool-" + i);
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        Thread.sleep(2 + ThreadLocalRandom.current().nextInt(10));
                        source.post();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "irq-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + handled.get());
        System.exit(broken != null ? 1 : 0);
    }
}
