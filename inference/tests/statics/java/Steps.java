import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;

// @lock Steps$Apart
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Steps$Apart.a
// @role take Steps$Apart.b
// @role take Steps$Apart.c
//
// @lock Steps$Ring
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Steps$Ring.a
// @role take Steps$Ring.b
// @role take Steps$Ring.c
//
// @lock Steps$Tally
// @type CONDITION form=resettable-event
// @role wait Steps$Tally.c
// @role notify Steps$Tally.a
//
// @lock Steps$Slot
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put Steps$Slot.a
// @role take Steps$Slot.b
//
// @lock Steps$Names
// @type LOCK
// @role lock Steps$Names.a
// @role unlock Steps$Names.a
//
// @lock java.util.HashSet#p
// @type LOCK
// @role lock Steps$Guard.a
// @role unlock Steps$Guard.a
//
// @lock Steps$Known
// @type LATCH
// @role await Steps$Known.a
// @role count-down Steps$Known.b
//
// @lock Steps$Guests
// @type SEMAPHORE permits=3
// @role acquire Steps$Guests.a
// @role release Steps$Guests.a
//
// @lock java.util.LinkedList#q
// @type PRODUCER-CONSUMER capacity=6
// @role put Steps$Head.a
// @role take Steps$Head.b
// @role take Steps$Head.c
//
// @lock Steps$Pool
// @type SEMAPHORE form=object-pool
// @role acquire Steps$Pool.a
// @role release Steps$Pool.b
// @role release Steps$Pool.c
//
// @lock Steps$Again
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Steps$Again.b
// @role put Steps$Again.c
// @role take Steps$Again.a
//
// @lock Steps$Pieces
// @type PRODUCER-CONSUMER
// @role put Steps$Pieces.a
// @role take Steps$Pieces.b

/** What is done in several steps. */
public class Steps {
    /** Who takes waits in one method, and takes in another. */
    static class Apart {
        private final List<String> l = new LinkedList<>();

        synchronized void a(String s) {
            l.add(s);
            notify();
        }

        synchronized void b() throws InterruptedException {
            while (l.isEmpty()) {
                wait();
            }
        }

        synchronized String c() {
            return l.isEmpty() ? null : l.remove(0);
        }
    }

    /** The same, in a ring that grows; who waits is counted. */
    static class Ring {
        private Object[] r = new Object[4];
        private int i;
        private int o;
        private int n;
        private int w;

        synchronized void a(Object x) {
            if (n == r.length) {
                Object[] more = new Object[2 * r.length];
                for (int k = 0; k < n; k++) {
                    more[k] = r[(i + k) % r.length];
                }
                r = more;
                i = 0;
                o = n;
            }
            r[o] = x;
            o = (o + 1) % r.length;
            n++;
            if (w > 0) {
                notify();
            }
        }

        synchronized void b() throws InterruptedException {
            while (n == 0) {
                w++;
                try {
                    wait();
                } finally {
                    w--;
                }
            }
        }

        synchronized Object c() {
            if (n == 0) {
                return null;
            }
            Object x = r[i];
            r[i] = null;
            i = (i + 1) % r.length;
            n--;
            return x;
        }
    }

    /** Who is there says so, and that he goes, counted: nobody takes anything. */
    static class Tally {
        private int n;

        synchronized void a() {
            n++;
            notifyAll();
        }

        synchronized void b() {
            if (n > 0) {
                n--;
            }
        }

        synchronized void c() throws InterruptedException {
            while (n == 0) {
                wait();
            }
        }
    }

    /** What was put stays there until the work is done. */
    static class Slot {
        private Runnable r;

        synchronized void a(Runnable x) throws InterruptedException {
            while (r != null) {
                wait();
            }
            r = x;
            notifyAll();
        }

        void b() throws InterruptedException {
            Runnable x;
            synchronized (this) {
                while (r == null) {
                    wait();
                }
                x = r;
            }
            x.run();
            synchronized (this) {
                r = null;
                notifyAll();
            }
        }
    }

    /** A lock by name that one method takes and gives back. */
    static class Names {
        private final Set<String> s = new HashSet<>();

        void a(String k, Runnable x) throws InterruptedException {
            synchronized (this) {
                while (s.contains(k)) {
                    wait();
                }
                s.add(k);
            }
            try {
                x.run();
            } finally {
                synchronized (this) {
                    s.remove(k);
                    notifyAll();
                }
            }
        }
    }

    /** The same: what the set answers tells who has it. */
    static class Guard {
        private final Set<Object> p = new HashSet<>();

        void a(Object k, Runnable x) throws InterruptedException {
            synchronized (p) {
                while (!p.add(k)) {
                    p.wait();
                }
            }
            try {
                x.run();
            } finally {
                synchronized (p) {
                    p.remove(k);
                    p.notifyAll();
                }
            }
        }
    }

    /** Who waits says what is to be there. */
    static class Known {
        private final Set<String> s = new HashSet<>();

        synchronized void a(String k) throws InterruptedException {
            while (!s.contains(k)) {
                wait();
            }
        }

        synchronized void b(String k) {
            s.add(k);
            notifyAll();
        }
    }

    /** By name, and so many at once. */
    static class Guests {
        private final Set<String> s = new HashSet<>();

        void a(String k, Runnable x) throws InterruptedException {
            synchronized (this) {
                while (s.size() >= 3) {
                    wait();
                }
                s.add(k);
            }
            try {
                x.run();
            } finally {
                synchronized (this) {
                    s.remove(k);
                    notifyAll();
                }
            }
        }
    }

    /** Who takes looks at the first, and takes it away when he is done. */
    static class Head {
        private final LinkedList<Long> q = new LinkedList<>();

        void a(long n) throws InterruptedException {
            synchronized (q) {
                while (q.size() >= 6) {
                    q.wait();
                }
                q.addLast(n);
                q.notifyAll();
            }
        }

        Long b() throws InterruptedException {
            synchronized (q) {
                while (q.isEmpty()) {
                    q.wait();
                }
                return q.getFirst();
            }
        }

        void c() {
            synchronized (q) {
                q.removeFirst();
                q.notifyAll();
            }
        }
    }

    /** A pool that grows: others bring new ones. */
    static class Pool {
        private final LinkedList<Object> l = new LinkedList<>();

        synchronized Object a() throws InterruptedException {
            while (l.isEmpty()) {
                wait();
            }
            return l.removeFirst();
        }

        synchronized void b(Object x) {
            l.addFirst(x);
            notify();
        }

        synchronized void c(Object x) {
            l.addLast(x);
            notify();
        }
    }

    /** A queue to which comes back what did not succeed. */
    static class Again {
        private final LinkedList<Object> l = new LinkedList<>();

        synchronized Object a() throws InterruptedException {
            while (l.isEmpty()) {
                wait();
            }
            return l.removeFirst();
        }

        synchronized void b(Object x) {
            l.addFirst(x);
            notify();
        }

        synchronized void c(Object x) {
            l.addLast(x);
            notify();
        }
    }

    /** A pipe of pieces, whose writer waits for room within the loop over them. */
    static class Pieces {
        private final int most;
        private int n;
        private boolean q;

        Pieces(int most) {
            this.most = most;
        }

        synchronized void a(int k) throws InterruptedException {
            while (k > 0) {
                if (q) {
                    throw new IllegalStateException();
                }
                int room = most - n;
                if (room == 0) {
                    wait();
                    continue;
                }
                int some = Math.min(room, k);
                n += some;
                k -= some;
                notifyAll();
            }
        }

        synchronized int b(int k) throws InterruptedException {
            while (n == 0) {
                if (q) {
                    return -1;
                }
                wait();
            }
            int some = Math.min(n, k);
            n -= some;
            notifyAll();
            return some;
        }

        synchronized void c() {
            q = true;
            notifyAll();
        }
    }

    static final Head HEAD = new Head();
    static final Pool POOL = new Pool();
    static final Again AGAIN = new Again();
    static final Pieces PIECES = new Pieces(64);
    static final Apart APART = new Apart();
    static final Ring RING = new Ring();
    static final Tally TALLY = new Tally();
    static final Slot SLOT = new Slot();
    static final Names NAMES = new Names();
    static final Guard GUARD = new Guard();
    static final Known KNOWN = new Known();
    static final Guests GUESTS = new Guests();

    static void put() throws InterruptedException {
        APART.a("x");
        RING.a("x");
        SLOT.a(() -> {});
        KNOWN.b("x");
        TALLY.a();
        TALLY.b();
    }

    static void lend(Pool p) throws InterruptedException {
        Object x = p.a();
        try {
            System.out.println(x);
        } finally {
            p.b(x);
        }
    }

    static void again(Again p) throws InterruptedException {
        Object x = p.a();
        if (x.hashCode() == 7) {
            p.b(x);
        }
    }

    static void one() throws InterruptedException {
        APART.b();
        System.out.println(APART.c());
    }

    static void two() throws InterruptedException {
        RING.b();
        System.out.println(RING.c());
    }

    static void take(String k) throws InterruptedException {
        one();
        two();
        SLOT.b();
        KNOWN.a(k);
        NAMES.a(k, () -> {});
        GUARD.a(k, () -> {});
        GUESTS.a(k, () -> {});
        TALLY.c();
    }

    public static void main(String[] args) throws InterruptedException {
        lend(POOL);
        again(AGAIN);
        POOL.c("x");
        AGAIN.c("x");
        PIECES.a(100);
        PIECES.b(30);
        PIECES.c();
        HEAD.a(1);
        HEAD.b();
        HEAD.c();
        take(args[0]);
        put();
    }
}
