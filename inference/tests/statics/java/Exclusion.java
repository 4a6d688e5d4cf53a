import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.LinkedList;

// @lock Exclusion$Pile
// @type LOCK reentrant=true
// @role lock Exclusion$Pile.enter
// @role unlock Exclusion$Pile.leave
//
// @lock Exclusion$Kinds
// @type CONDITION
// @role wait Exclusion$Kinds.enter
// @role notify Exclusion$Kinds.leave
//
// @lock Exclusion$Bridge
// @type CONDITION
// @role wait Exclusion$Bridge.on
// @role notify Exclusion$Bridge.off
//
// @lock Exclusion$Table
// @type CONDITION
// @role wait Exclusion$Table.eat
// @role notify Exclusion$Table.think
//
// @lock Exclusion$Boxed
// @type LOCK reentrant=false
// @role lock Exclusion$Boxed.take
// @role unlock Exclusion$Boxed.give
//
// @lock Exclusion$Berths
// @type SEMAPHORE permits=3
// @role acquire Exclusion$Berths.take
// @role release Exclusion$Berths.give
//
// @lock Exclusion$Keys
// @type LOCK form=striped-lock
// @role lock Exclusion$Keys.l
// @role unlock Exclusion$Keys.u
//
// @lock Exclusion$Ids
// @type LOCK form=striped-lock
// @role lock Exclusion$Ids.l
// @role unlock Exclusion$Ids.u
//
// @lock Exclusion$Busy
// @type LOCK reentrant=false
// @role lock Exclusion$Busy.grab
// @role unlock Exclusion$Busy.letGo
//
// @lock Exclusion$a
// @type LOCK reentrant=true
// @role lock Exclusion$a.b
// @role lock Exclusion$a.d
// @role unlock Exclusion$a.c
//
// @lock java.lang.Object#enter
// @type LOCK reentrant=true
// @role lock Exclusion$Depth.enter
// @role unlock Exclusion$Depth.exit
//
// @lock Exclusion$Free
// @type LOCK reentrant=false
// @role lock Exclusion$Free.p
// @role unlock Exclusion$Free.v
//
// @lock Exclusion$Turns
// @type LOCK reentrant=false
// @role lock Exclusion$Turns.in
// @role unlock Exclusion$Turns.out
//
// @lock Exclusion$Line
// @type LOCK reentrant=false
// @role lock Exclusion$Line.in
// @role unlock Exclusion$Line.out
//
// @lock Exclusion$Handed
// @type LOCK reentrant=false
// @role lock Exclusion$Handed.in
// @role unlock Exclusion$Handed.out
//
// @lock Exclusion$Plain
// @type MUTEX
// @role enter Exclusion$Plain.add
// @role enter Exclusion$Plain.sum
/** Locks written by hand, and one that is nothing but a monitor. */
public class Exclusion {
    static class Keys {
        private final java.util.Set<Object> held = new java.util.HashSet<>();

        synchronized void l(Object key) throws InterruptedException {
            while (!held.add(key)) wait();
        }

        synchronized void u(Object key) {
            held.remove(key);
            notifyAll();
        }

        void with(Object key, Runnable work) throws InterruptedException {
            l(key);
            try {
                work.run();
            } finally {
                u(key);
            }
        }
    }

    static class Ids {
        private final java.util.List<Long> busy = new java.util.ArrayList<>();

        synchronized void l(long id) throws InterruptedException {
            while (busy.contains(id)) wait();
            busy.add(id);
        }

        synchronized void u(long id) {
            busy.remove((Long) id);
            notifyAll();
        }
    }

    static class Busy {
        private boolean busy;

        synchronized void grab() {
            boolean interrupted = false;
            while (busy) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            busy = true;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized void letGo() {
            busy = false;
            notify();
        }
    }

    /** Owner and depth, with a try. */
    static class a {
        private Thread e;
        private int f;

        void b() throws InterruptedException {
            Thread g = Thread.currentThread();
            synchronized (this) {
                if (e == g) {
                    f++;
                    return;
                }
                while (e != null) {
                    wait();
                }
                e = g;
                f = 1;
            }
        }

        synchronized boolean d() {
            if (e != null && e != Thread.currentThread()) {
                return false;
            }
            e = Thread.currentThread();
            f++;
            return true;
        }

        synchronized void c() {
            if (Thread.currentThread() != e) {
                throw new IllegalMonitorStateException();
            }
            if (--f == 0) {
                e = null;
                notify();
            }
        }
    }

    static class Depth {
        private final Object m = new Object();
        private Thread who;
        private int depth;

        void enter() throws InterruptedException {
            synchronized (m) {
                while (depth > 0 && !Thread.currentThread().equals(who)) {
                    m.wait();
                }
                who = Thread.currentThread();
                depth += 1;
            }
        }

        void exit() {
            synchronized (m) {
                depth -= 1;
                if (depth == 0) {
                    who = null;
                    m.notifyAll();
                }
            }
        }
    }

    static class Free {
        private boolean free = true;

        synchronized void p() throws InterruptedException {
            do {
                if (free) {
                    break;
                }
                wait();
            } while (true);
            free = false;
        }

        synchronized void v() {
            free = true;
            notify();
        }
    }

    static class Turns {
        private long next;
        private long now;

        synchronized void in() throws InterruptedException {
            long mine = next++;
            while (mine != now) {
                wait();
            }
        }

        synchronized void out() {
            now++;
            notifyAll();
        }
    }

    static class Line {
        private final List<Thread> waiting = new ArrayList<>();

        synchronized void in() throws InterruptedException {
            waiting.add(Thread.currentThread());
            while (waiting.get(0) != Thread.currentThread()) {
                wait();
            }
        }

        synchronized void out() {
            waiting.remove(0);
            notifyAll();
        }
    }

    /** The lock is handed to the longest waiter through an object of his own. */
    static class Handed {
        private static class Node {
            boolean go;
        }

        private boolean held;
        private final Queue<Node> nodes = new LinkedList<>();

        void in() throws InterruptedException {
            Node node;
            synchronized (this) {
                if (!held) {
                    held = true;
                    return;
                }
                node = new Node();
                nodes.add(node);
            }
            synchronized (node) {
                while (!node.go) {
                    node.wait();
                }
            }
        }

        void out() {
            Node next;
            synchronized (this) {
                next = nodes.poll();
                if (next == null) {
                    held = false;
                    return;
                }
            }
            synchronized (next) {
                next.go = true;
                next.notify();
            }
        }
    }

    static class Plain {
        private long total;
        private int n;

        synchronized void add(int x) {
            total += x;
            n++;
        }

        synchronized double sum() {
            return n == 0 ? 0 : (double) total / n;
        }
    }

    /** Those who hold it, once for each time. */
    static class Pile {
        private final java.util.ArrayDeque<Thread> in = new java.util.ArrayDeque<>();

        synchronized void enter() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (!in.isEmpty() && in.peek() != me) {
                wait();
            }
            in.push(me);
        }

        synchronized void leave() {
            in.pop();
            if (in.isEmpty()) {
                notifyAll();
            }
        }
    }

    /** Two kinds keep each other out; of one kind any number may be inside. */
    static class Kinds {
        private final int[] in = new int[2];

        synchronized void enter(int mine, int others) throws InterruptedException {
            while (in[others] > 0) {
                wait();
            }
            in[mine]++;
        }

        synchronized void leave(int mine) {
            in[mine]--;
            notifyAll();
        }
    }

    /** So much weight, and all in one direction. */
    static class Bridge {
        private int load;
        private int direction;

        synchronized void on(int to, int weight) throws InterruptedException {
            while (load != 0 && direction != to || load + weight > 10) {
                wait();
            }
            direction = to;
            load += weight;
        }

        synchronized void off(int weight) {
            load -= weight;
            notifyAll();
        }
    }

    /** Who eats keeps his neighbours from it, and nobody else. */
    static class Table {
        private final boolean[] eats = new boolean[5];

        synchronized void eat(int seat) throws InterruptedException {
            while (eats[(seat + 4) % 5] || eats[(seat + 1) % 5]) {
                wait();
            }
            eats[seat] = true;
        }

        synchronized void think(int seat) {
            eats[seat] = false;
            notifyAll();
        }
    }

    /** The flag is in an array of one. */
    static class Boxed {
        private final boolean[] held = new boolean[1];

        synchronized void take() throws InterruptedException {
            while (held[0]) {
                wait();
            }
            held[0] = true;
        }

        synchronized void give() {
            held[0] = false;
            notify();
        }
    }

    /** Any berth will do. */
    static class Berths {
        private final boolean[] taken = new boolean[3];

        synchronized int take() throws InterruptedException {
            while (true) {
                for (int i = 0; i < taken.length; i++) {
                    if (!taken[i]) {
                        taken[i] = true;
                        return i;
                    }
                }
                wait();
            }
        }

        synchronized void give(int berth) {
            taken[berth] = false;
            notify();
        }
    }
}
