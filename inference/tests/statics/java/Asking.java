import java.util.*;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

// @lock Asking$Around
// @type LOCK
// @role lock Asking$Around.run
// @role unlock Asking$Around.run
//
// @lock Asking$Around2
// @type LOCK reentrant=false
// @role lock Asking$Around2.run
// @role unlock Asking$Around2.run
//
// @lock Asking$Bulk
// @type SEMAPHORE permits=3
// @role acquire Asking$Bulk.call
// @role release Asking$Bulk.call
//
// @lock Asking$Until
// @type CONDITION
// @role wait Asking$Until.waitFor
// @role notify Asking$Until.changed
//
// @lock Asking$Flags
// @type CONDITION
// @role wait Asking$Flags.awaitFlag
// @role notify Asking$Flags.set
//
// @lock Asking$Mask
// @type CONDITION
// @role wait Asking$Mask.awaitAny
// @role notify Asking$Mask.post
//
// @lock Asking$Life
// @type CONDITION
// @role wait Asking$Life.awaitRunning
// @role wait Asking$Life.awaitStopped
// @role notify Asking$Life.start
// @role notify Asking$Life.stop
//
// @lock Asking$Seen
// @type CONDITION
// @role wait Asking$Seen.changedSince
// @role notify Asking$Seen.touch
//
// @lock Asking$Keyed
// @type LOCK reentrant=true
// @role lock Asking$Keyed.lock
// @role unlock Asking$Keyed.unlock
//
// @lock Asking$PerUser
// @type SEMAPHORE
// @role acquire Asking$PerUser.begin
// @role release Asking$PerUser.end
//
// @lock Asking$FifoLock
// @type LOCK
// @role lock Asking$FifoLock.lock
// @role unlock Asking$FifoLock.unlock
//
// @lock Asking$Progress
// @type LATCH count=3
// @role count-down Asking$Progress.done
// @role await Asking$Progress.join
// @role await Asking$Progress.watch
//
// @lock Asking$Tok
// @type SEMAPHORE permits=3
// @role acquire Asking$Tok.acquire
// @role release Asking$Tok.release
//
// @lock Asking$Mem
// @type SEMAPHORE
// @role acquire Asking$Mem.reserve
// @role release Asking$Mem.put
//
// @lock Asking$Sub
// @type PRODUCER-CONSUMER
// @role put Asking$Sub.publish
// @role take Asking$Sub.poll
//
// @lock Asking$Answers
// @type CONDITION
// @role wait Asking$Answers.of
// @role notify Asking$Answers.is
//
// @lock Asking$Signals
// @type CONDITION
// @role wait Asking$Signals.awaitFrom
// @role notify Asking$Signals.from
//
// @lock Asking$Letters
// @type PRODUCER-CONSUMER
// @role put Asking$Letters.send
// @role take Asking$Letters.receive
//
// @lock Asking$Replies
// @type CONDITION
// @role wait Asking$Replies.call
// @role notify Asking$Replies.reply
//
// @lock Asking$Parcels
// @type CONDITION
// @role wait Asking$Parcels.expect
// @role notify Asking$Parcels.deliver
//
// @lock Asking$Group
// @type CONDITION
// @role wait Asking$Group.sync
// @role notify Asking$Group.sync
/** Locks whose callers say what for, that run code between two steps, or that go on through phases. */
public class Asking {
    static class Around {
        private Thread owner;
        private int depth;

        void run(Runnable body) throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (this) {
                while (owner != null && owner != me) {
                    wait();
                }
                owner = me;
                depth++;
            }
            try {
                body.run();
            } finally {
                synchronized (this) {
                    if (--depth == 0) {
                        owner = null;
                        notify();
                    }
                }
            }
        }
    }

    static class Around2 {
        private boolean busy;

        <T> T run(Supplier<T> body) throws InterruptedException {
            synchronized (this) {
                while (busy) {
                    wait();
                }
                busy = true;
            }
            try {
                return body.get();
            } finally {
                synchronized (this) {
                    busy = false;
                    notify();
                }
            }
        }
    }

    static class Bulk {
        private int inside;

        <T> T call(Supplier<T> body) throws InterruptedException {
            synchronized (this) {
                while (inside >= 3) {
                    wait();
                }
                inside++;
            }
            try {
                return body.get();
            } finally {
                synchronized (this) {
                    inside--;
                    notifyAll();
                }
            }
        }
    }

    static class Until {
        private int version;

        synchronized void waitFor(BooleanSupplier test) throws InterruptedException {
            while (!test.getAsBoolean()) {
                wait();
            }
        }

        synchronized void changed() {
            version++;
            notifyAll();
        }
    }

    static class Flags {
        private final Set<String> set = new HashSet<>();

        synchronized boolean awaitFlag(String name, long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (!set.contains(name)) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }

        synchronized void set(String name) {
            set.add(name);
            notifyAll();
        }

        synchronized void clear(String name) {
            set.remove(name);
        }
    }

    static class Mask {
        private int bits;

        synchronized int awaitAny(int mask) throws InterruptedException {
            while ((bits & mask) == 0) {
                wait();
            }
            return bits & mask;
        }

        synchronized void post(int mask) {
            bits |= mask;
            notifyAll();
        }

        synchronized void drop(int mask) {
            bits &= ~mask;
        }
    }

    enum S {
        NEW, RUNNING, STOPPED
    }

    static class Life {
        private volatile S s = S.NEW;

        synchronized void awaitRunning() throws InterruptedException {
            while (s == S.NEW) {
                wait();
            }
        }

        synchronized void awaitStopped() throws InterruptedException {
            while (s != S.STOPPED) {
                wait();
            }
        }

        synchronized void start() {
            s = S.RUNNING;
            notifyAll();
        }

        synchronized void stop() {
            s = S.STOPPED;
            notifyAll();
        }
    }

    static class Seen {
        private long stamp;

        synchronized long changedSince(long old, long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1000000L;
            while (stamp <= old) {
                long left = (end - System.nanoTime()) / 1000000L;
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
            return stamp;
        }

        synchronized void touch() {
            stamp++;
            notifyAll();
        }
    }

    static class Keyed {
        static class Owner {
            Thread thread;
            int depth;
        }

        private final Map<Object, Owner> owners = new HashMap<>();

        synchronized void lock(Object key) throws InterruptedException {
            Owner o = owners.get(key);
            while (o != null && o.thread != Thread.currentThread()) {
                wait();
                o = owners.get(key);
            }
            if (o == null) {
                o = new Owner();
                o.thread = Thread.currentThread();
                owners.put(key, o);
            }
            o.depth++;
        }

        synchronized void unlock(Object key) {
            Owner o = owners.get(key);
            if (o == null || o.thread != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            if (--o.depth == 0) {
                owners.remove(key);
                notifyAll();
            }
        }
    }

    static class PerUser {
        private final Map<Long, Set<Thread>> running = new TreeMap<>();

        void begin(long user) throws InterruptedException {
            synchronized (running) {
                while (running.containsKey(user) && running.get(user).size() == 2) {
                    running.wait();
                }
                running.computeIfAbsent(user, u -> new HashSet<>()).add(Thread.currentThread());
            }
        }

        void end(long user) {
            synchronized (running) {
                Set<Thread> s = running.get(user);
                s.remove(Thread.currentThread());
                if (s.isEmpty()) {
                    running.remove(user);
                }
                running.notifyAll();
            }
        }
    }

    static class FifoLock {
        static class Node {
            boolean go;
        }

        private final LinkedList<Node> line = new LinkedList<>();
        private boolean held;

        void lock() throws InterruptedException {
            Node mine;
            synchronized (this) {
                if (!held) {
                    held = true;
                    return;
                }
                mine = new Node();
                line.add(mine);
            }
            synchronized (mine) {
                while (!mine.go) {
                    mine.wait();
                }
            }
        }

        void unlock() {
            Node next;
            synchronized (this) {
                if (line.isEmpty()) {
                    held = false;
                    return;
                }
                next = line.removeFirst();
            }
            synchronized (next) {
                next.go = true;
                next.notify();
            }
        }
    }

    static class Progress {
        private final boolean[] parts = new boolean[3];

        private boolean all() {
            for (boolean p : parts) {
                if (!p) {
                    return false;
                }
            }
            return true;
        }

        synchronized void done(int part) {
            parts[part] = true;
            if (all()) {
                notifyAll();
            }
        }

        synchronized void join() throws InterruptedException {
            while (!all()) {
                wait();
            }
        }

        synchronized void watch() throws InterruptedException {
            while (!all()) {
                wait(100);
            }
        }
    }

    static class Tok {
        private final Object lock = new Object();
        private final BitSet used = new BitSet();

        int acquire() throws InterruptedException {
            synchronized (lock) {
                int i;
                while ((i = used.nextClearBit(0)) >= 3) {
                    lock.wait();
                }
                used.set(i);
                return i;
            }
        }

        void release(int i) {
            synchronized (lock) {
                used.clear(i);
                lock.notify();
            }
        }
    }

    static class Mem {
        private long free = 100;

        Chunk reserve(long bytes) throws InterruptedException {
            synchronized (this) {
                while (free < bytes) {
                    wait();
                }
                free -= bytes;
            }
            return new Chunk(this, bytes);
        }

        private synchronized void put(long bytes) {
            free += bytes;
            notifyAll();
        }

        static final class Chunk {
            private final Mem of;
            private final long bytes;
            private boolean freed;

            Chunk(Mem of, long bytes) {
                this.of = of;
                this.bytes = bytes;
            }

            void free() {
                if (!freed) {
                    freed = true;
                    of.put(bytes);
                }
            }
        }
    }

    static class Sub {
        private final Map<String, Deque<Object>> topics = new HashMap<>();

        synchronized void publish(String topic, Object o) {
            topics.computeIfAbsent(topic, t -> new ArrayDeque<>()).add(o);
            notifyAll();
        }

        synchronized Object poll(String topic) throws InterruptedException {
            Deque<Object> q;
            while ((q = topics.get(topic)) == null || q.isEmpty()) {
                wait();
            }
            return q.poll();
        }
    }

    /** Answers that are awaited by number: nobody is served with another's. */
    static class Answers {
        private final Map<Long, Object> known = new HashMap<>();

        synchronized void is(long number, Object answer) {
            known.put(number, answer);
            notifyAll();
        }

        synchronized Object of(long number) throws InterruptedException {
            while (!known.containsKey(number)) {
                wait();
            }
            return known.remove(number);
        }
    }

    /** The same, and what is known is of no interest. */
    static class Signals {
        private final Map<Integer, Object> known = new HashMap<>();

        synchronized void from(int station, Object sign) {
            known.put(station, sign);
            notifyAll();
        }

        synchronized void awaitFrom(int station) throws InterruptedException {
            while (known.get(station) == null) {
                wait();
            }
            known.remove(station);
        }
    }

    /** Each takes from a box of his own, into which nothing is put before it is empty. */
    static class Letters {
        private final Map<Integer, Object> boxes = new HashMap<>();

        synchronized void send(int to, Object letter) throws InterruptedException {
            while (boxes.containsKey(to)) {
                wait();
            }
            boxes.put(to, letter);
            notifyAll();
        }

        synchronized Object receive(int me) throws InterruptedException {
            while (!boxes.containsKey(me)) {
                wait();
            }
            Object letter = boxes.remove(me);
            notifyAll();
            return letter;
        }
    }

    /** Who asks is given his number inside, and waits for the answer with it. */
    static class Replies {
        private final java.util.Map<Integer, String> replies = new java.util.HashMap<>();
        private final java.util.Queue<Integer> wire = new java.util.concurrent.ConcurrentLinkedQueue<>();
        private int next;

        String call() throws InterruptedException {
            int id;
            synchronized (replies) {
                id = next++;
            }
            wire.add(id);
            synchronized (replies) {
                while (!replies.containsKey(id)) {
                    replies.wait();
                }
                return replies.remove(id);
            }
        }

        void reply(int id, String answer) {
            synchronized (replies) {
                replies.put(id, answer);
                replies.notifyAll();
            }
        }
    }

    /** Each waits for what comes under a name; the next under the same replaces it. */
    static class Parcels {
        private final java.util.Hashtable<String, Object> there = new java.util.Hashtable<>();

        synchronized Object expect(String name) throws InterruptedException {
            Object parcel;
            while ((parcel = there.remove(name)) == null) {
                wait();
            }
            return parcel;
        }

        synchronized void deliver(String name, Object parcel) {
            there.put(name, parcel);
            notifyAll();
        }
    }

    /** Whoever comes first does it for all who wait that it be done. */
    static class Group {
        private long last;
        private long done;
        private boolean busy;

        synchronized long add() {
            return ++last;
        }

        void sync(long mine) throws InterruptedException {
            long to;
            synchronized (this) {
                while (mine > done && busy) {
                    wait(1000);
                }
                if (mine <= done) {
                    return;
                }
                to = last;
                busy = true;
            }
            synchronized (this) {
                done = to;
                busy = false;
                notifyAll();
            }
        }
    }
}
