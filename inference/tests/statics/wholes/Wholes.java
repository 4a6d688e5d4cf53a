import java.util.ArrayDeque;
import java.util.Deque;

// Locks of several monitors, each used through what is public of it alone.
//
// @lock Wholes$Ends
// @type PRODUCER-CONSUMER capacity=3
// @role put Wholes$Ends.put
// @role take Wholes$Ends.take
//
// @lock Wholes$Hands
// @type PRODUCER-CONSUMER capacity=0
// @role put Wholes$Hands.give
// @role take Wholes$Hands.get
//
// @lock Wholes$Queued
// @type SEMAPHORE permits=2
// @role acquire Wholes$Queued.first
// @role release Wholes$Queued.next
//
// @lock Wholes$Pool
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire Wholes$Pool.borrow
// @role release Wholes$Pool.give
//
// @lock Wholes$Files
// @type READ-WRITE
// @role read-lock Wholes$Files.read
// @role read-unlock Wholes$Files.leave
// @role write-lock Wholes$Files.write
// @role write-unlock Wholes$Files.done
//
// @lock Wholes$Study
// @type READ-WRITE
// @role read-lock Wholes$Study.read
// @role read-unlock Wholes$Study.leave
// @role write-lock Wholes$Study.write
// @role write-unlock Wholes$Study.done
//
// @lock Wholes$Chain
// @type LOCK reentrant=false
// @role lock Wholes$Chain.join
// @role unlock Wholes$Chain.pass
//
// @lock Wholes$Line
// @type LOCK reentrant=false
// @role lock Wholes$Line.ask
// @role unlock Wholes$Line.unlock
//
// @lock Wholes$Crew
// @type BARRIER parties=3
// @role arrive Wholes$Crew.pull
//
// @lock Wholes$Pair
// @type BARRIER parties=2
// @role arrive Wholes$Pair.meet
public final class Wholes {
    static Ends ends = new Ends(3);
    static Hands hands = new Hands();
    static Queued queued = new Queued(2);
    static Pool pool = new Pool(3);
    static Files files = new Files();
    static Study study = new Study();
    static Pair pair = new Pair();
    static Chain chain = new Chain();
    static Crew crew = new Crew(3);
    static Line line = new Line();

    /** Uses both ends of a lock in one go. */
    static void edit() throws InterruptedException {
        files.write();
        try {
            Thread.sleep(1);
        } finally {
            files.done();
        }
    }

    /** A buffer whose content is counted on itself and whose room on another object. */
    public static final class Ends {
        final Object room = new Object();
        private final Object[] ring;
        private int used;
        private int free;
        private int putAt;
        private int takeAt;

        public Ends(int size) {
            ring = new Object[size];
            free = size;
        }

        public void put(Object x) throws InterruptedException {
            synchronized (room) {
                while (free <= 0) {
                    room.wait();
                }
                free--;
                ring[putAt] = x;
                putAt = (putAt + 1) % ring.length;
            }
            more();
        }

        public Object take() throws InterruptedException {
            Object old;
            synchronized (this) {
                while (used <= 0) {
                    wait();
                }
                used--;
                old = ring[takeAt];
                ring[takeAt] = null;
                takeAt = (takeAt + 1) % ring.length;
            }
            less();
            return old;
        }

        void more() {
            synchronized (this) {
                used++;
                notify();
            }
        }

        void less() {
            synchronized (room) {
                free++;
                room.notify();
            }
        }
    }

    /** A place where one thread gives and another gets: who comes first waits on a node of his own. */
    public static final class Hands {
        private final Deque<Node> givers = new ArrayDeque<>();
        private final Deque<Node> getters = new ArrayDeque<>();

        static final class Node {
            Object thing;
            boolean done;
        }

        public void give(Object x) throws InterruptedException {
            Node other;
            Node own = null;
            synchronized (this) {
                other = getters.pollFirst();
                if (other == null) {
                    own = new Node();
                    own.thing = x;
                    givers.addLast(own);
                }
            }
            if (other != null) {
                synchronized (other) {
                    other.thing = x;
                    other.done = true;
                    other.notify();
                }
                return;
            }
            synchronized (own) {
                while (!own.done) {
                    own.wait();
                }
            }
        }

        public Object get() throws InterruptedException {
            Node other;
            Node own = null;
            synchronized (this) {
                other = givers.pollFirst();
                if (other == null) {
                    own = new Node();
                    getters.addLast(own);
                }
            }
            if (other != null) {
                synchronized (other) {
                    other.done = true;
                    other.notify();
                    return other.thing;
                }
            }
            synchronized (own) {
                while (!own.done) {
                    own.wait();
                }
                return own.thing;
            }
        }
    }

    /** A semaphore in whose queue each waiter waits on a node of his own. */
    public static final class Queued {
        private final Deque<Node> queue = new ArrayDeque<>();
        private int left;

        public Queued(int left) {
            this.left = left;
        }

        public void acquire() throws InterruptedException {
            if (first()) {
                return;
            }
            new Node().sleep(this);
        }

        public void release() {
            for (;;) {
                Node node = next();
                if (node == null || node.wake()) {
                    return;
                }
            }
        }

        synchronized boolean first() {
            boolean pass = left > 0;
            if (pass) {
                left--;
            }
            return pass;
        }

        synchronized boolean again(Node node) {
            boolean pass = left > 0;
            if (pass) {
                left--;
            } else {
                queue.addLast(node);
            }
            return pass;
        }

        synchronized Node next() {
            Node node = queue.pollFirst();
            if (node == null) {
                left++;
            }
            return node;
        }

        static final class Node {
            private boolean sleeps = true;

            synchronized boolean wake() {
                boolean was = sleeps;
                if (was) {
                    sleeps = false;
                    notify();
                }
                return was;
            }

            synchronized void sleep(Queued of) throws InterruptedException {
                if (!of.again(this)) {
                    while (sleeps) {
                        wait();
                    }
                }
            }
        }
    }

    /** A pool of objects; a borrower waits on a latch of his own, into which his object is put. */
    public static final class Pool {
        private final Deque<Object> idle = new ArrayDeque<>();
        private final Deque<Latch> queue = new ArrayDeque<>();
        private final int most;
        private int lent;

        public Pool(int most) {
            this.most = most;
        }

        static final class Latch {
            Object thing;
            boolean open;
        }

        public Object borrow() throws InterruptedException {
            Latch latch = new Latch();
            synchronized (this) {
                queue.addLast(latch);
            }
            serve();
            synchronized (latch) {
                while (!latch.open) {
                    latch.wait();
                }
            }
            return latch.thing == null ? new Object() : latch.thing;
        }

        public void give(Object thing) {
            synchronized (this) {
                lent--;
                idle.addLast(thing);
            }
            serve();
        }

        private synchronized void serve() {
            while (!queue.isEmpty() && lent < most) {
                Latch latch = queue.pollFirst();
                latch.thing = idle.pollFirst();
                lent++;
                synchronized (latch) {
                    latch.open = true;
                    latch.notify();
                }
            }
        }
    }

    /** The first reader takes the room for all, the last one leaves it. */
    /** Used from within the program alone; the room is no object of its own class. */
    static final class Study {
        private final Object room = new Object();
        private boolean taken;
        private int readers;

        void read() throws InterruptedException {
            synchronized (this) {
                if (readers == 0) {
                    synchronized (room) {
                        while (taken) {
                            room.wait();
                        }
                        taken = true;
                    }
                }
                readers++;
            }
        }

        void leave() {
            synchronized (this) {
                if (--readers == 0) {
                    synchronized (room) {
                        taken = false;
                        room.notify();
                    }
                }
            }
        }

        void write() throws InterruptedException {
            synchronized (room) {
                while (taken) {
                    room.wait();
                }
                taken = true;
            }
        }

        void done() {
            synchronized (room) {
                taken = false;
                room.notify();
            }
        }
    }

    static void reads() throws InterruptedException {
        study.read();
        study.leave();
    }

    static void writes() throws InterruptedException {
        study.write();
        study.done();
    }

    /** Each waits for who came before him. */
    static final class Chain {
        private Link last;

        Link join() throws InterruptedException {
            Link mine = new Link();
            Link before;
            synchronized (this) {
                before = last;
                last = mine;
            }
            if (before != null) {
                synchronized (before) {
                    while (!before.done) {
                        before.wait();
                    }
                }
            }
            return mine;
        }

        void pass(Link mine) {
            synchronized (mine) {
                mine.done = true;
                mine.notify();
            }
        }

        static final class Link {
            private boolean done;
        }
    }

    static final class Files {
        private final Object heads = new Object();
        private final Room room = new Room();
        private int readers;

        void read() throws InterruptedException {
            synchronized (heads) {
                if (readers == 0) {
                    room.enter();
                }
                readers++;
            }
        }

        void leave() {
            synchronized (heads) {
                if (--readers == 0) {
                    room.exit();
                }
            }
        }

        void write() throws InterruptedException {
            synchronized (room) {
                room.enter();
            }
        }

        void done() {
            synchronized (room) {
                room.exit();
            }
        }

        static final class Room {
            private boolean taken;

            synchronized void enter() throws InterruptedException {
                while (taken) {
                    wait();
                }
                taken = true;
            }

            synchronized void exit() {
                taken = false;
                notify();
            }
        }
    }

    /** They move in step; each waits on a seat of his own. */
    public static final class Crew {
        private final Seat[] seats;
        private int here;

        static final class Seat {
            private int calls;

            synchronized void call() {
                calls++;
                notify();
            }

            synchronized void rest() throws InterruptedException {
                while (calls == 0) {
                    wait();
                }
                calls--;
            }
        }

        public Crew(int size) {
            seats = new Seat[size];
            for (int i = 0; i < size; i++) {
                seats[i] = new Seat();
            }
        }

        public void pull(int me) throws InterruptedException {
            boolean last;
            synchronized (this) {
                last = ++here == seats.length;
                if (last) {
                    here = 0;
                }
            }
            if (!last) {
                seats[me].rest();
                return;
            }
            for (Seat seat : seats) {
                if (seat != seats[me]) {
                    seat.call();
                }
            }
        }
    }

    /** Who waits has a place of his own; were he ever to give up there, the lock would be lost. */
    static final class Line {
        private Thread owner;
        private final java.util.LinkedList<Place> waiting = new java.util.LinkedList<>();

        boolean lock() throws InterruptedException {
            Place place = ask();
            if (place != null) {
                if (!place.await(100_000)) {
                    return false;
                }
                enter();
            }
            return true;
        }

        private synchronized Place ask() {
            if (owner == null && waiting.isEmpty()) {
                owner = Thread.currentThread();
                return null;
            }
            Place place = new Place();
            waiting.add(place);
            return place;
        }

        private synchronized void enter() {
            waiting.removeFirst();
            owner = Thread.currentThread();
        }

        synchronized void unlock() {
            Place next = waiting.peek();
            owner = null;
            if (next != null) {
                next.open();
            }
        }

        static final class Place {
            private int opened;

            synchronized boolean await(long limit) throws InterruptedException {
                long end = System.currentTimeMillis() + limit;
                while (opened <= 0) {
                    long left = end - System.currentTimeMillis();
                    if (left <= 0) {
                        return false;
                    }
                    wait(left);
                }
                opened--;
                return true;
            }

            synchronized void open() {
                opened++;
                notifyAll();
            }
        }
    }

    /** Two exchange what they bring; whoever comes meanwhile waits at the gate until both have gone. */
    static final class Pair {
        private final Gate gate = new Gate(2);
        private final Object[] brought = new Object[2];
        private int here;
        private int leaving;

        Object meet(Object mine) throws InterruptedException {
            gate.take();
            synchronized (this) {
                int place = here++;
                brought[place] = mine;
                if (here == 2) {
                    leaving = 2;
                    Object first = brought[0];
                    brought[0] = brought[1];
                    brought[1] = first;
                    notifyAll();
                } else {
                    while (leaving == 0) {
                        wait();
                    }
                }
                Object other = brought[place];
                if (--leaving == 0) {
                    brought[0] = null;
                    brought[1] = null;
                    here = 0;
                    gate.give(2);
                }
                return other;
            }
        }

        static final class Gate {
            private int left;

            Gate(int n) {
                left = n;
            }

            synchronized void take() throws InterruptedException {
                while (left <= 0) {
                    wait();
                }
                left--;
            }

            synchronized void give(int n) {
                left += n;
                notifyAll();
            }
        }
    }
}
