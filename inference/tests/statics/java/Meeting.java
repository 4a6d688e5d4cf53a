import java.util.ArrayList;
import java.util.List;

// @lock Meeting$Cyclic
// @type BARRIER parties=4
// @role arrive Meeting$Cyclic.await
//
// @lock Meeting$a
// @type BARRIER parties=3
// @role arrive Meeting$a.a
//
// @lock Meeting$Comers
// @type BARRIER form=phaser
// @role arrive Meeting$Comers.arrive
//
// @lock Meeting$Joined
// @type BARRIER form=phaser
// @role arrive Meeting$Joined.meet
//
// @lock Meeting$Members
// @type BARRIER form=phaser
// @role arrive Meeting$Members.sync
//
// @lock java.lang.Object#meet
// @type BARRIER parties=6
// @role arrive Meeting$Timed.meet
//
// @lock Meeting$Swapper
// @type BARRIER parties=2 form=exchanger
// @role arrive Meeting$Swapper.swap
//
// @lock Meeting$Gate
// @type LATCH count=1
// @role count-down Meeting$Gate.open
// @role await Meeting$Gate.pass
// @role await Meeting$Gate.pass2
//
// @lock Meeting$Down
// @type LATCH count=3
// @role count-down Meeting$Down.x
// @role await Meeting$Down.y
//
// @lock Meeting$Up
// @type LATCH count=8
// @role count-down Meeting$Up.done
// @role await Meeting$Up.all
//
// @lock Meeting$Future
// @type LATCH count=1 form=future
// @role count-down Meeting$Future.set
// @role count-down Meeting$Future.fail
// @role await Meeting$Future.get
//
// @lock Meeting$Event
// @type CONDITION form=resettable-event
// @role notify Meeting$Event.on
// @role wait Meeting$Event.await
//
// @lock Meeting$Version
// @type CONDITION
// @role notify Meeting$Version.bump
// @role wait Meeting$Version.after
//
// @lock Meeting$Worker
// @type JOIN
// @role join Meeting$Worker.finish
//
// @lock Meeting$Server
// @type LATCH count=1
// @role await Meeting$Server.ready
// @role count-down Meeting$Server.run
//
// @lock Meeting$Parting
// @type JOIN
// @role join Meeting$Parting.finish
//
// @lock Meeting$Task
// @type JOIN
// @role join Meeting.end
//
// @lock Meeting$Pause
// @type DELAY
// @role delay Meeting$Pause.nap
//
// @lock java.lang.Object#rest
// @type DELAY
// @role delay Meeting$Until.rest
/** Barriers, latches, events, joins and delays. */
public class Meeting {
    static class Comers {
        private int parties, arrived, phase;

        synchronized void register() {
            parties++;
        }

        synchronized int arrive() throws InterruptedException {
            int mine = phase;
            if (++arrived == parties) {
                next();
                return mine;
            }
            while (mine == phase) wait();
            return mine;
        }

        synchronized void leave() {
            parties--;
            if (arrived == parties && parties > 0) next();
        }

        private void next() {
            arrived = 0;
            phase++;
            notifyAll();
        }
    }

    static class Joined {
        private int n, left;
        private boolean side;

        Joined(int n) {
            this.n = n;
            left = n;
        }

        synchronized void meet() throws InterruptedException {
            boolean mine = side;
            if (--left == 0) {
                left = n;
                side = !side;
                notifyAll();
            } else {
                while (mine == side) wait();
            }
        }

        synchronized void join() {
            n++;
            left++;
        }
    }

    static class Members {
        private final java.util.Set<Thread> all = new java.util.HashSet<>(), here = new java.util.HashSet<>();
        private long round;

        synchronized void in() {
            all.add(Thread.currentThread());
        }

        synchronized void sync() throws InterruptedException {
            here.add(Thread.currentThread());
            if (here.size() >= all.size()) {
                next();
            } else {
                long mine = round;
                while (mine == round) wait();
            }
        }

        synchronized void out() {
            all.remove(Thread.currentThread());
            here.remove(Thread.currentThread());
            if (!all.isEmpty() && here.size() >= all.size()) next();
        }

        private void next() {
            here.clear();
            round++;
            notifyAll();
        }
    }

    static class Cyclic {
        private final int parties;
        private int here;
        private int round;

        Cyclic(int n) {
            parties = n;
        }

        synchronized int await() throws InterruptedException {
            int mine = round;
            int index = parties - ++here;
            if (index == 0) {
                here = 0;
                round++;
                notifyAll();
                return 0;
            }
            while (mine == round) {
                wait();
            }
            return index;
        }
    }

    /** Counts down, marks rounds by an object. Obfuscated. */
    static class a {
        private int b = 3;
        private Object c = new Object();

        void a() throws InterruptedException {
            synchronized (this) {
                Object d = c;
                if (--b > 0) {
                    do {
                        wait();
                    } while (d == c);
                } else {
                    b = 3;
                    c = new Object();
                    notifyAll();
                }
            }
        }
    }

    static class Timed {
        private final Object o = new Object();
        private final List<Thread> present = new ArrayList<>();
        private long phase;

        boolean meet(long ms) throws InterruptedException {
            long end = System.currentTimeMillis() + ms;
            synchronized (o) {
                long p = phase;
                present.add(Thread.currentThread());
                if (present.size() == 6) {
                    present.clear();
                    phase = p + 1;
                    o.notifyAll();
                    return true;
                }
                while (phase == p) {
                    long left = end - System.currentTimeMillis();
                    if (left <= 0) {
                        return false;
                    }
                    o.wait(left);
                }
                return true;
            }
        }
    }

    static class Swapper {
        private Object first;
        private Object second;
        private boolean waiting;

        synchronized Object swap(Object mine) throws InterruptedException {
            if (!waiting) {
                first = mine;
                waiting = true;
                while (waiting) {
                    wait();
                }
                return second;
            }
            second = mine;
            waiting = false;
            notifyAll();
            return first;
        }
    }

    static class Gate {
        private boolean open;

        synchronized void open() {
            if (!open) {
                open = true;
                notifyAll();
            }
        }

        synchronized void pass() throws InterruptedException {
            while (!open) {
                wait();
            }
        }

        synchronized boolean pass2(long ms) throws InterruptedException {
            if (!open) {
                wait(ms);
            }
            return open;
        }
    }

    static class Down {
        private int n;

        Down(int n) {
            this.n = n;
        }

        synchronized void x() {
            if (n > 0 && --n == 0) {
                notifyAll();
            }
        }

        void y() throws InterruptedException {
            synchronized (this) {
                while (n != 0) {
                    wait();
                }
            }
        }
    }

    static class Up {
        private int finished;
        private static final int ALL = 8;

        void done() {
            synchronized (this) {
                finished++;
                if (finished >= ALL) {
                    notifyAll();
                }
            }
        }

        synchronized void all() throws InterruptedException {
            while (finished < ALL) {
                wait();
            }
        }
    }

    static class Future {
        private Object result;
        private Throwable error;
        private boolean done;

        synchronized void set(Object o) {
            result = o;
            done = true;
            notifyAll();
        }

        synchronized void fail(Throwable t) {
            error = t;
            done = true;
            notifyAll();
        }

        synchronized Object get() throws InterruptedException {
            while (!done) {
                wait();
            }
            if (error != null) {
                throw new IllegalStateException(error);
            }
            return result;
        }
    }

    static class Event {
        private boolean set;

        synchronized void on() {
            set = true;
            notifyAll();
        }

        synchronized void off() {
            set = false;
        }

        synchronized void await() throws InterruptedException {
            while (!set) {
                wait();
            }
        }
    }

    static class Version {
        private long current;

        synchronized void bump() {
            current++;
            notifyAll();
        }

        synchronized long after(long seen) throws InterruptedException {
            while (current <= seen) {
                wait();
            }
            return current;
        }
    }

    static class Worker extends Thread {
        private volatile boolean over;

        @Override
        public void run() {
            synchronized (this) {
                over = true;
                notifyAll();
            }
        }

        void finish() throws InterruptedException {
            synchronized (this) {
                while (!over) {
                    wait();
                }
            }
        }
    }

    /** Tells that it is there, and then serves. */
    static class Server extends Thread {
        private volatile boolean stopped;
        private int port;

        @Override
        public void run() {
            synchronized (this) {
                port = 80;
                notifyAll();
            }
            while (!stopped) {
                serve();
            }
        }

        private void serve() {
            System.out.println(port);
        }

        synchronized void ready() throws InterruptedException {
            while (port == 0) {
                wait();
            }
        }
    }

    /** Tells that it is done, and says good-bye. */
    static class Parting extends Thread {
        private static int parted;
        private boolean done;

        @Override
        public void run() {
            for (int i = 0; i < 9; i++) {
                Thread.yield();
            }
            synchronized (this) {
                done = true;
                notifyAll();
            }
            parted++;
            bye();
        }

        private void bye() {
            System.out.println("done: " + getName());
        }

        synchronized void finish() throws InterruptedException {
            while (!done) {
                wait();
            }
        }
    }

    static class Task extends Thread {
        int x;
    }

    static void end(Task t) throws InterruptedException {
        synchronized (t) {
            while (t.isAlive()) {
                t.wait(0);
            }
        }
    }

    static class Pause {
        synchronized void nap(long ms) {
            try {
                wait(ms);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Until {
        private final Object o = new Object();
        private volatile boolean stopped;

        void rest() throws InterruptedException {
            synchronized (o) {
                long end = System.nanoTime() + 5_000_000L;
                long left;
                while (!stopped && (left = end - System.nanoTime()) > 0) {
                    o.wait(left / 1_000_000 + 1);
                }
            }
        }
    }

    static Object[] all() {
        return new Object[] {new Cyclic(4), new Cyclic(4), new Down(3)};
    }
}
