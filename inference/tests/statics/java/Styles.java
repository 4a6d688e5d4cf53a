// @lock Styles$Door
// @type READ-WRITE reentrant=false preference=readers
// @role read-lock Styles$Door.a
// @role read-unlock Styles$Door.b
// @role write-lock Styles$Door.c
// @role write-unlock Styles$Door.d
//
// @lock Styles$Own
// @type READ-WRITE reentrant=true
// @role read-lock Styles$Own.a
// @role read-unlock Styles$Own.b
// @role write-lock Styles$Own.c
// @role write-unlock Styles$Own.d
//
// @lock Styles$Ticket
// @type LOCK reentrant=false
// @role lock Styles$Ticket.a
// @role unlock Styles$Ticket.b
//
// @lock Styles$Sb
// @type PRODUCER-CONSUMER capacity=6
// @role put Styles$Sb.a
// @role take Styles$Sb.b
//
// @lock Styles$Round
// @type BARRIER parties=3
// @role arrive Styles$Round.a
//
// @lock Styles$Parts
// @type LATCH count=4
// @role count-down Styles$Parts.a
// @role await Styles$Parts.b
//
// @lock Styles$Ans
// @type LATCH count=1 form=future
// @role count-down Styles$Ans.a
// @role await Styles$Ans.b
//
// @lock Styles$Bits
// @type SEMAPHORE permits=5
// @role acquire Styles$Bits.a
// @role release Styles$Bits.b
//
// @lock Styles$Templ
// @type SEMAPHORE permits=3
// @role acquire Styles$Gate.enter
// @role release Styles$Gate.leave
//
// @lock Styles$Pool
// @type SEMAPHORE permits=3
// @role acquire Styles$Pool.get
// @role release Styles$Pool.put
//
// @lock Styles$Prio
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Styles$Prio.add
// @role take Styles$Prio.next
//
// @lock Styles$Keys
// @type LOCK
// @role lock Styles$Keys.lock
// @role unlock Styles$Keys.unlock
//
// @lock Styles$Fifo
// @type SEMAPHORE permits=2
// @role acquire Styles$Fifo.acq
// @role release Styles$Fifo.rel
//
// @lock Styles$Steps
// @type BARRIER parties=4
// @role arrive Styles$Steps.a
//
// @lock Styles$Promise
// @type LATCH count=1 form=future
// @role count-down Styles$Promise.keep
// @role count-down Styles$Promise.fail
// @role await Styles$Promise.get
//
// @lock Styles$Room
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Styles$Room.a
// @role read-unlock Styles$Room.b
// @role write-lock Styles$Room.c
// @role write-unlock Styles$Room.d
//
// @lock Styles$Bucket
// @type SEMAPHORE form=rate-limiter
// @role acquire Styles$Bucket.take
// @role release Styles$Bucket.fill
//
// @lock Styles$Warm
// @type LATCH count=3
// @role count-down Styles$Warm.done
// @role await Styles$Warm.all
//
// @lock Styles$Mine
// @type LOCK reentrant=true
// @role lock Styles$Mine.a
// @role unlock Styles$Mine.b
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.*;

/** Locks as people write them whose state is no plain number: in enums, maps, sets, texts and functions. */
public final class Styles {
    enum State { FREE, READING, WRITING }
    static final class Door {
        private State s = State.FREE;
        private int n;
        synchronized void a() throws InterruptedException {
            while (s == State.WRITING) wait();
            s = State.READING;
            n++;
        }
        synchronized void b() {
            if (--n == 0) { s = State.FREE; notifyAll(); }
        }
        synchronized void c() throws InterruptedException {
            while (s != State.FREE) wait();
            s = State.WRITING;
        }
        synchronized void d() { s = State.FREE; notifyAll(); }
    }
    static final class Own {
        private final Map<Thread, Integer> readers = new HashMap<>();
        private Thread writer;
        private int depth;
        synchronized void a() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me) wait();
            readers.merge(me, 1, Integer::sum);
        }
        synchronized void b() {
            Integer n = readers.remove(Thread.currentThread());
            if (n > 1) readers.put(Thread.currentThread(), n - 1);
            if (readers.isEmpty()) notifyAll();
        }
        synchronized void c() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me || readers.keySet().stream().anyMatch(t -> t != me)) wait();
            writer = me;
            depth++;
        }
        synchronized void d() {
            if (writer != Thread.currentThread()) throw new IllegalMonitorStateException();
            if (--depth == 0) { writer = null; notifyAll(); }
        }
    }
    static final class Ticket {
        private long next, serving;
        synchronized void a() throws InterruptedException {
            long mine = next++;
            while (mine != serving) wait();
        }
        synchronized void b() { serving++; notifyAll(); }
    }
    static final class Sb {
        private final StringBuilder b = new StringBuilder();
        private final int most;
        Sb(int most) { this.most = most; }
        synchronized void a(char c) throws InterruptedException {
            while (b.length() >= most) wait();
            b.append(c);
            notifyAll();
        }
        synchronized char b() throws InterruptedException {
            while (b.length() == 0) wait();
            char c = b.charAt(0);
            b.deleteCharAt(0);
            notifyAll();
            return c;
        }
    }
    static final class Round {
        private Object gen = new Object();
        private final Set<Thread> here = new HashSet<>();
        private final int n;
        Round(int n) { this.n = n; }
        synchronized void a() throws InterruptedException {
            Object mine = gen;
            here.add(Thread.currentThread());
            if (here.size() == n) { here.clear(); gen = new Object(); notifyAll(); return; }
            while (mine == gen) wait();
        }
    }
    static final class Parts {
        private final Set<Integer> open;
        Parts(int n) { open = IntStream.range(0, n).boxed().collect(Collectors.toCollection(HashSet::new)); }
        synchronized void a(int part) { if (open.remove(part) && open.isEmpty()) notifyAll(); }
        synchronized void b() throws InterruptedException { while (!open.isEmpty()) wait(); }
    }
    static final class Ans<T> {
        private Optional<T> v = Optional.empty();
        synchronized void a(T t) { if (!v.isPresent()) { v = Optional.of(t); notifyAll(); } }
        synchronized T b() throws InterruptedException { while (!v.isPresent()) wait(); return v.get(); }
    }
    static final class Bits {
        private final BitSet used = new BitSet();
        private final int n;
        Bits(int n) { this.n = n; }
        synchronized int a() throws InterruptedException {
            int at;
            while ((at = used.nextClearBit(0)) >= n) wait();
            used.set(at);
            return at;
        }
        synchronized void b(int at) { used.clear(at); notify(); }
    }
    abstract static class Gate {
        public final void enter() throws InterruptedException {
            synchronized (this) {
                while (!free()) wait();
                take();
            }
        }
        public final void leave() { synchronized (this) { give(); notifyAll(); } }
        abstract boolean free();
        abstract void take();
        abstract void give();
    }
    static final class Templ extends Gate {
        private int in;
        private final int max;
        Templ(int max) { this.max = max; }
        boolean free() { return in < max; }
        void take() { in++; }
        void give() { in--; }
    }
    static final class Conn { final int id; Conn(int id) { this.id = id; } }
    static final class Pool {
        private final Deque<Conn> idle = new ArrayDeque<>();
        Pool(int n) { for (int i = 0; i < n; i++) idle.push(new Conn(i)); }
        synchronized Conn get() throws InterruptedException { while (idle.isEmpty()) wait(); return idle.pop(); }
        synchronized void put(Conn c) { idle.push(c); notify(); }
    }
    static final class Job { final int p; Job(int p) { this.p = p; } int prio() { return p; } }
    static final class Prio {
        private final PriorityQueue<Job> q = new PriorityQueue<>(Comparator.comparingInt((Job j) -> j.p).reversed());
        synchronized void add(Job j) { q.add(j); notify(); }
        synchronized Job next() throws InterruptedException { while (q.isEmpty()) wait(); return q.poll(); }
    }
    static final class Keys {
        private final Map<String, Thread> held = new TreeMap<>();
        synchronized void lock(String k) throws InterruptedException {
            while (held.containsKey(k)) wait();
            held.put(k, Thread.currentThread());
        }
        synchronized void unlock(String k) { held.remove(k); notifyAll(); }
    }
    static final class Fifo {
        private int permits;
        private final Queue<Object> line = new LinkedList<>();
        Fifo(int n) { permits = n; }
        synchronized void acq() throws InterruptedException {
            Object me = new Object();
            line.add(me);
            try {
                while (permits == 0 || line.peek() != me) wait();
                permits--;
            } finally {
                line.remove(me);
                notifyAll();
            }
        }
        synchronized void rel() { permits++; notifyAll(); }
    }
    static final class Steps {
        private final Map<Integer, Integer> done = new HashMap<>();
        private final int n;
        Steps(int n) { this.n = n; }
        synchronized void a(int step) throws InterruptedException {
            int here = done.merge(step, 1, Integer::sum);
            if (here == n) { done.remove(step - 1); notifyAll(); return; }
            while (done.get(step) < n) wait();
        }
    }
    static final class Promise<T> {
        private static final Object NONE = new Object();
        private Object v = NONE;
        private Throwable why;
        @SuppressWarnings("unchecked")
        synchronized T get() throws InterruptedException {
            while (v == NONE) wait();
            if (why != null) throw new IllegalArgumentException(why);
            return (T) v;
        }
        synchronized void keep(T t) { if (v == NONE) { v = t; notifyAll(); } }
        synchronized void fail(Throwable t) { if (v == NONE) { v = null; why = t; notifyAll(); } }
    }
    static final class Room {
        private static final int ALL = 20;
        private int left = ALL;
        synchronized void a() throws InterruptedException { while (left == 0) wait(); left--; }
        synchronized void b() { left++; notifyAll(); }
        synchronized void c() throws InterruptedException { while (left < ALL) wait(); left = 0; }
        synchronized void d() { left = ALL; notifyAll(); }
    }
    static final class Bucket {
        private final int most;
        private int n;
        Bucket(int most) { this.most = most; }
        synchronized void take() throws InterruptedException { while (n < 1) wait(); n--; }
        synchronized void fill() { if (n < most) { n++; notify(); } }
    }
    static final class Warm {
        private final Set<String> cold = new HashSet<>();
        Warm(String... names) { for (String n : names) cold.add(n); }
        synchronized void done(String n) { cold.remove(n); if (cold.isEmpty()) notifyAll(); }
        synchronized void all() throws InterruptedException { while (!cold.isEmpty()) wait(); }
    }
    static final AtomicInteger IDS = new AtomicInteger();
    static final ThreadLocal<Integer> ID = ThreadLocal.withInitial(IDS::incrementAndGet);
    static final class Mine {
        private long c;
        synchronized void a() throws InterruptedException {
            long d = (long) ID.get() << 32;
            while (c != 0 && (c & 0xffffffff00000000L) != d) wait();
            c = c == 0 ? d | 1 : c + 1;
        }
        synchronized void b() {
            if (c >>> 32 != ID.get()) throw new IllegalMonitorStateException();
            if ((int) --c == 0) { c = 0; notify(); }
        }
    }
    public static void main(String[] args) throws Exception {
        Object[] all = { new Door(), new Own(), new Ticket(), new Sb(6), new Round(3), new Parts(4), new Ans<String>(),
            new Bits(5), new Templ(3), new Pool(3), new Prio(), new Keys(), new Fifo(2), new Steps(4),
            new Promise<String>(), new Room(), new Bucket(9),
            new Warm("a", "b", "c"), new Mine() };
        System.out.println(all.length);
    }
}
