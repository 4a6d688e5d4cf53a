// @lock Gossip$Round
// @type BARRIER parties=3
// @role arrive Gossip$Round.arrive

// @lock Gossip$View
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock Gossip$View.readLock
// @role read-unlock Gossip$View.readUnlock
// @role write-lock Gossip$View.writeLock
// @role write-unlock Gossip$View.writeUnlock

// @lock Gossip$Outbox
// @type PRODUCER-CONSUMER+LATCH capacity=3 count=1
// @role put Gossip$Outbox.send
// @role take Gossip$Outbox.next
// @role count-down Gossip$Outbox.drained
// @role await Gossip$Outbox.awaitDrained

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Members of a cluster: rounds of three, a view of the members that may be read again while it is written, and an outbox for each exchange. */
public class Gossip {
    static final class Round {
        private Object token = new Object();
        private int arrived;

        synchronized boolean arrive() throws InterruptedException {
            Object mine = token;
            if (++arrived == 3) {
                arrived = 0;
                token = new Object();
                notifyAll();
                return true;
            }
            while (mine == token) {
                wait();
            }
            return false;
        }
    }

    static final class View {
        private final ThreadLocal<Integer> mine = new ThreadLocal<>();
        private int readers;
        private Thread writer;
        private int depth;

        void readLock() throws InterruptedException {
            synchronized (this) {
                Integer n = mine.get();
                if (n == null) {
                    while (writer != null && writer != Thread.currentThread()) {
                        wait();
                    }
                    readers++;
                    mine.set(1);
                } else {
                    mine.set(n + 1);
                }
            }
        }

        void readUnlock() {
            synchronized (this) {
                int n = mine.get() - 1;
                if (n > 0) {
                    mine.set(n);
                    return;
                }
                mine.remove();
                if (--readers == 0) {
                    notifyAll();
                }
            }
        }

        void writeLock() throws InterruptedException {
            synchronized (this) {
                Thread me = Thread.currentThread();
                if (writer == me) {
                    depth++;
                    return;
                }
                while (writer != null || readers > 0) {
                    wait();
                }
                writer = me;
                depth = 1;
            }
        }

        void writeUnlock() {
            synchronized (this) {
                if (--depth == 0) {
                    writer = null;
                    notifyAll();
                }
            }
        }
    }

    static final class Outbox {
        private final List<String> lines = new ArrayList<>(3);
        private boolean empty;

        synchronized void send(String line) throws InterruptedException {
            while (lines.size() == 3) {
                wait();
            }
            lines.add(line);
            notifyAll();
        }

        synchronized String next() throws InterruptedException {
            while (lines.isEmpty()) {
                wait();
            }
            notifyAll();
            return lines.remove(0);
        }

        synchronized void drained() {
            empty = true;
            notifyAll();
        }

        synchronized void awaitDrained() throws InterruptedException {
            while (!empty) {
                wait();
            }
        }
    }

    static int members;
    static int sum;

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
        Round round = new Round();
        View view = new View();
        Queue<Outbox> open = new java.util.concurrent.ConcurrentLinkedQueue<>();
        for (int i = 0; i < 3; i++) {
            loop("member-" + i, () -> {
                view.readLock();
                view.readLock();
                check(sum == 2 * members, "half a view");
                pause(1, 4);
                view.readUnlock();
                view.readUnlock();
                Outbox o = new Outbox();
                open.add(o);
                for (int k = 0; k < 7; k++) {
                    o.send("m" + k);
                }
                o.awaitDrained();
                round.arrive();
            });
            loop("sender-" + i, () -> {
                Outbox o = open.poll();
                if (o == null) {
                    pause(1, 3);
                    return;
                }
                for (int k = 0; k < 7; k++) {
                    check(o.next().equals("m" + k), "order");
                    if (k % 3 == 0) {
                        pause(1, 3);
                    }
                }
                pause(1, 3);
                o.drained();
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("joiner-" + i, () -> {
                view.writeLock();
                members++;
                pause(1, 3);
                view.writeLock();
                view.readLock();
                sum += 2;
                view.readUnlock();
                view.writeUnlock();
                view.writeUnlock();
                pause(3, 9);
            });
        }
        finish(args);
    }
}
