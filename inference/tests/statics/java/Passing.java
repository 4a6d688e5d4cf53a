import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Vector;

// @lock Passing$HandOver
// @type PRODUCER-CONSUMER capacity=0
// @role put Passing$HandOver.put
// @role take Passing$HandOver.take
//
// @lock Passing$Offers
// @type PRODUCER-CONSUMER capacity=0
// @role put Passing$Offers.put
// @role take Passing$Offers.take
//
// @lock Passing$Ring
// @type PRODUCER-CONSUMER capacity=16
// @role put Passing$Ring.put
// @role put Passing$Ring.offer
// @role take Passing$Ring.take
//
// @lock Passing$a
// @type PRODUCER-CONSUMER capacity=5
// @role put Passing$a.a
// @role take Passing$a.b
//
// @lock Passing$Endless
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Passing$Endless.post
// @role take Passing$Endless.next
//
// @lock Passing$Chain
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Passing$Chain.push
// @role take Passing$Chain.pull
//
// @lock Passing$Slot
// @type PRODUCER-CONSUMER capacity=1
// @role put Passing$Slot.give
// @role take Passing$Slot.get
//
// @lock Passing$Flagged
// @type PRODUCER-CONSUMER capacity=1
// @role put Passing$Flagged.put
// @role take Passing$Flagged.take
//
// @lock java.util.LinkedList#feed
// @type PRODUCER-CONSUMER capacity=9
// @role put Passing$Outside.feed
// @role take Passing$Outside.eat
//
// @lock Passing$Indices
// @type PRODUCER-CONSUMER capacity=7
// @role put Passing$Indices.x
// @role take Passing$Indices.y
//
// @lock Passing$Inherited
// @type PRODUCER-CONSUMER capacity=3
// @role put Passing$Base.put
// @role take Passing$Base.take
//
// @lock Passing$Swap
// @type PRODUCER-CONSUMER capacity=20
// @role put Passing$Swap.log
// @role take Passing$Swap.drain
//
// @lock java.lang.Object#a
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Passing$Urgent.a
// @role take Passing$Urgent.b
/** Queues in many styles. */
public class Passing {
    static class Ring {
        private final Object[] items = new Object[16];
        private int head;
        private int tail;
        private int count;

        synchronized void put(Object o) throws InterruptedException {
            while (count == items.length) {
                wait();
            }
            items[tail] = o;
            tail = (tail + 1) % items.length;
            count++;
            notifyAll();
        }

        synchronized boolean offer(Object o) {
            if (count == items.length) {
                return false;
            }
            items[tail] = o;
            tail = (tail + 1) % items.length;
            ++count;
            notifyAll();
            return true;
        }

        synchronized Object take() throws InterruptedException {
            while (count == 0) {
                wait();
            }
            Object o = items[head];
            items[head] = null;
            if (++head == items.length) {
                head = 0;
            }
            --count;
            notifyAll();
            return o;
        }
    }

    static class a {
        private final LinkedList<Object> c = new LinkedList<>();
        private final int d;

        a(int e) {
            d = e;
        }

        static a make() {
            return new a(5);
        }

        void a(Object e) throws InterruptedException {
            synchronized (this) {
                while (f()) {
                    wait();
                }
                c.addLast(e);
                notifyAll();
            }
        }

        private boolean f() {
            return !(c.size() < d);
        }

        Object b() throws InterruptedException {
            Object e;
            synchronized (this) {
                while ((e = c.pollFirst()) == null) {
                    wait();
                }
                notifyAll();
            }
            return e;
        }
    }

    static class Endless {
        private final Vector<Runnable> jobs = new Vector<>();

        synchronized void post(Runnable r) {
            jobs.addElement(r);
            notify();
        }

        synchronized Runnable next(long ms) throws InterruptedException {
            if (jobs.isEmpty()) {
                wait(ms);
            }
            if (jobs.isEmpty()) {
                return null;
            }
            Runnable r = jobs.firstElement();
            jobs.removeElementAt(0);
            return r;
        }
    }

    static class Chain {
        private static class Cell {
            Object value;
            Cell next;
        }

        private Cell first;
        private Cell last;

        synchronized void push(Object o) {
            Cell cell = new Cell();
            cell.value = o;
            if (last == null) {
                first = cell;
            } else {
                last.next = cell;
            }
            last = cell;
            notify();
        }

        synchronized Object pull() throws InterruptedException {
            while (first == null) {
                wait();
            }
            Object o = first.value;
            first = first.next;
            if (first == null) {
                last = null;
            }
            return o;
        }
    }

    static class Slot {
        private Object it;

        synchronized void give(Object o) throws InterruptedException {
            while (it != null) {
                wait();
            }
            it = o;
            notifyAll();
        }

        synchronized Object get() throws InterruptedException {
            while (it == null) {
                wait();
            }
            Object o = it;
            it = null;
            notifyAll();
            return o;
        }
    }

    static class Flagged {
        private int value;
        private boolean there;

        synchronized void put(int v) {
            while (there) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    return;
                }
            }
            value = v;
            there = true;
            notify();
        }

        synchronized int take() {
            while (!there) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    return -1;
                }
            }
            there = false;
            notify();
            return value;
        }
    }

    /** The collection itself is the lock. */
    static class Outside {
        private final LinkedList<String> queue = new LinkedList<>();

        void feed(String s) throws InterruptedException {
            synchronized (queue) {
                while (queue.size() >= 9) {
                    queue.wait();
                }
                queue.add(s);
                queue.notifyAll();
            }
        }

        String eat() throws InterruptedException {
            synchronized (queue) {
                while (queue.isEmpty()) {
                    queue.wait();
                }
                String s = queue.removeFirst();
                queue.notifyAll();
                return s;
            }
        }
    }

    static class Indices {
        private final int[] cells = new int[8];
        private int in;
        private int out;

        synchronized void x(int v) throws InterruptedException {
            while ((in + 1) % cells.length == out) {
                wait();
            }
            cells[in] = v;
            in = (in + 1) % cells.length;
            notifyAll();
        }

        synchronized int y() throws InterruptedException {
            while (in == out) {
                wait();
            }
            int v = cells[out];
            out = (out + 1) % cells.length;
            notifyAll();
            return v;
        }
    }

    abstract static class Base {
        protected abstract boolean canPut();

        protected abstract boolean canTake();

        protected abstract void store(Object o);

        protected abstract Object fetch();

        public final synchronized void put(Object o) throws InterruptedException {
            while (!canPut()) {
                wait();
            }
            store(o);
            notifyAll();
        }

        public final synchronized Object take() throws InterruptedException {
            while (!canTake()) {
                wait();
            }
            Object o = fetch();
            notifyAll();
            return o;
        }
    }

    static class Inherited extends Base {
        private final List<Object> all = new ArrayList<>();

        @Override
        protected boolean canPut() {
            return all.size() < 3;
        }

        @Override
        protected boolean canTake() {
            return all.size() > 0;
        }

        @Override
        protected void store(Object o) {
            all.add(o);
        }

        @Override
        protected Object fetch() {
            return all.remove(all.size() - 1);
        }
    }

    static class Other extends Base {
        private boolean open;

        @Override
        protected boolean canPut() {
            return open;
        }

        @Override
        protected boolean canTake() {
            return !open;
        }

        @Override
        protected void store(Object o) {
            open = false;
        }

        @Override
        protected Object fetch() {
            open = true;
            return null;
        }
    }

    static class Swap {
        private List<String> lines = new ArrayList<>();

        synchronized void log(String s) throws InterruptedException {
            while (lines.size() == 20) {
                wait();
            }
            lines.add(s);
            notifyAll();
        }

        synchronized List<String> drain() throws InterruptedException {
            while (lines.isEmpty()) {
                wait();
            }
            List<String> all = lines;
            lines = new ArrayList<>();
            notifyAll();
            return all;
        }
    }

    static class Urgent {
        private final Object c = new Object();
        private final PriorityQueue<Integer> d = new PriorityQueue<>();

        void a(int e) {
            synchronized (c) {
                d.offer(e);
                c.notify();
            }
        }

        int b() throws InterruptedException {
            synchronized (c) {
                for (;;) {
                    Integer e = d.poll();
                    if (e != null) {
                        return e;
                    }
                    c.wait();
                }
            }
        }
    }

    static Object all() {
        return new Object[] {a.make(), new Inherited(), new Other()};
    }

    /** One gives at a time, and waits until his has been taken. */
    static class HandOver {
        private Object item;
        private boolean giving;

        synchronized void put(Object o) throws InterruptedException {
            while (giving) {
                wait();
            }
            giving = true;
            item = o;
            notifyAll();
            while (item != null) {
                wait();
            }
            giving = false;
            notifyAll();
        }

        synchronized Object take() throws InterruptedException {
            while (item == null) {
                wait();
            }
            Object o = item;
            item = null;
            notifyAll();
            return o;
        }
    }

    /** Everybody waits until what he has offered is taken. */
    static class Offers {
        private static class Offer {
            final Object what;
            boolean taken;

            Offer(Object what) {
                this.what = what;
            }
        }

        private final java.util.LinkedList<Offer> all = new java.util.LinkedList<>();

        synchronized void put(Object o) throws InterruptedException {
            Offer offer = new Offer(o);
            all.addLast(offer);
            notifyAll();
            while (!offer.taken) {
                wait();
            }
        }

        synchronized Object take() throws InterruptedException {
            while (all.isEmpty()) {
                wait();
            }
            Offer offer = all.removeFirst();
            offer.taken = true;
            notifyAll();
            return offer.what;
        }
    }
}
