import java.util.ArrayDeque;

// @lock Several$Both
// @type SEMAPHORE permits=2
// @role acquire Several$Both.get
// @role release Several$Both.free
//
// @lock Several$Turned
// @type SEMAPHORE permits=2
// @role acquire Several$Turned.get
// @role release Several$Turned.free
//
// @lock Several$Pairs
// @type SEMAPHORE permits=2
// @role acquire Several$Pairs.get
// @role release Several$Pairs.free
//
// @lock Several$Paused
// @type SEMAPHORE permits=3
// @role acquire Several$Paused.get
// @role release Several$Paused.free
//
// @lock Several$Paced
// @type SEMAPHORE permits=3
// @role acquire Several$Paced.get
// @role release Several$Paced.free
//
// @lock Several$Either
// @type SEMAPHORE permits=-
// @role acquire Several$Either.get
// @role release Several$Either.free
//
// @lock Several$Passed
// @type SEMAPHORE permits=4
// @role acquire Several$Passed.get
// @role release Several$Passed.free
//
// @lock Several$Line
// @type SEMAPHORE permits=3
// @role acquire Several$Line.get
// @role release Several$Line.free
//
// @lock Several$Polite
// @type SEMAPHORE permits=3
// @role acquire Several$Polite.get
// @role release Several$Polite.free
//
// @lock Several$Grown
// @type SEMAPHORE permits=5
// @role acquire Several$Grown.borrow
// @role release Several$Grown.back
//
// @lock Several$Weighed
// @type SEMAPHORE permits=-
// @role acquire Several$Weighed.get
// @role release Several$Weighed.free
//
// @lock Several$Sides
// @type SEMAPHORE permits=-
// @role acquire Several$Sides.in
// @role release Several$Sides.out
//
// @lock Several$Kinds
// @type SEMAPHORE permits=4
// @role acquire Several$Kinds.in
// @role release Several$Kinds.out
//
// @lock Several$Bytes
// @type PRODUCER-CONSUMER capacity=bounded
// @role put Several$Bytes.put
// @role take Several$Bytes.take
//
// @lock Several$Counted
// @type PRODUCER-CONSUMER capacity=6
// @role put Several$Counted.put
// @role take Several$Counted.take
//
// @lock Several$Parts
// @type LATCH count=2
// @role await Several$Parts.all
// @role count-down Several$Parts.one
// @role count-down Several$Parts.other
//
// @lock Several$Answers
// @type LATCH count=2
// @role await Several$Answers.both
// @role count-down Several$Answers.one
// @role count-down Several$Answers.other
//
// @lock Several$Counts
// @type LATCH count=5
// @role await Several$Counts.all
// @role count-down Several$Counts.one
// @role count-down Several$Counts.other
//
// @lock Several$First
// @type LATCH count=1
// @role await Several$First.any
// @role count-down Several$First.one
// @role count-down Several$First.other
//
// @lock Several$Result
// @type LATCH count=1 form=future
// @role await Several$Result.get
// @role count-down Several$Result.set
//
// @lock Several$Abort
// @type LATCH count=-
// @role await Several$Abort.all
// @role count-down Several$Abort.one
// @role count-down Several$Abort.other
// @role count-down Several$Abort.abort
/** One operation asks about several quantities. */
public class Several {
    /** Who gets in takes one of each: what runs out first bounds. */
    static class Both {
        private int cpu = 2;
        private int gpu = 3;

        synchronized void get() throws InterruptedException {
            while (cpu == 0 || gpu == 0) {
                wait();
            }
            cpu--;
            gpu--;
        }

        synchronized void free() {
            cpu++;
            gpu++;
            notifyAll();
        }
    }

    /** Counted up, the lower bound last, in loops of their own. */
    static class Turned {
        private int lent;
        private int out;

        synchronized void get() throws InterruptedException {
            while (lent >= 5) {
                wait();
            }
            while (out >= 2) {
                wait();
            }
            lent++;
            out++;
        }

        synchronized void free() {
            lent--;
            out--;
            notifyAll();
        }
    }

    /** Two of the one, one of the other. */
    static class Pairs {
        private int a = 3;
        private int b = 4;

        synchronized void get() throws InterruptedException {
            while (a == 0 || b < 2) {
                wait();
            }
            a--;
            b -= 2;
        }

        synchronized void free() {
            a++;
            b += 2;
            notifyAll();
        }
    }

    /** What is only looked at takes no part. */
    static class Paused {
        private int n = 3;
        private boolean paused;

        synchronized void get() throws InterruptedException {
            while (paused || n == 0) {
                wait();
            }
            n--;
        }

        synchronized void free() {
            n++;
            notifyAll();
        }

        synchronized void pause(boolean on) {
            paused = on;
            notifyAll();
        }
    }

    /** What is filled again by others bounds how often, not how many. */
    static class Paced {
        private int inside;
        private int tokens = 2;

        synchronized void get() throws InterruptedException {
            while (inside >= 3 || tokens == 0) {
                wait();
            }
            inside++;
            tokens--;
        }

        synchronized void free() {
            inside--;
            notifyAll();
        }

        synchronized void tick() {
            tokens = 2;
            notifyAll();
        }
    }

    /** The one or the other will do. */
    static class Either {
        private int near = 2;
        private int far = 3;

        synchronized boolean get() throws InterruptedException {
            while (near == 0 && far == 0) {
                wait();
            }
            if (near > 0) {
                near--;
                return true;
            }
            far--;
            return false;
        }

        synchronized void free(boolean there) {
            if (there) {
                near++;
            } else {
                far++;
            }
            notifyAll();
        }
    }

    /** Who has to wait takes what he is passed as well. */
    static class Passed {
        private int value = 4;
        private int woken;

        synchronized void get() throws InterruptedException {
            value--;
            if (value < 0) {
                do {
                    wait();
                } while (woken < 1);
                woken--;
            }
        }

        synchronized void free() {
            value++;
            if (value <= 0) {
                woken++;
                notify();
            }
        }
    }

    /** Who comes stands in line until he has one. */
    static class Line {
        private int free = 3;
        private final ArrayDeque<Thread> line = new ArrayDeque<>();

        synchronized void get() throws InterruptedException {
            Thread me = Thread.currentThread();
            line.addLast(me);
            while (free == 0 || line.peekFirst() != me) {
                wait();
            }
            line.removeFirst();
            free--;
            notifyAll();
        }

        synchronized void free() {
            free++;
            notifyAll();
        }
    }

    /** Who comes lets those go first who wait. */
    static class Polite {
        private long permits = 3;
        private long waiting;

        synchronized void get() throws InterruptedException {
            if (permits > waiting) {
                --permits;
                return;
            }
            ++waiting;
            try {
                do {
                    wait();
                } while (permits <= 0);
                --permits;
            } finally {
                --waiting;
            }
        }

        synchronized void free() {
            ++permits;
            notify();
        }
    }

    /** What is broken is made anew, up to five. */
    static class Grown {
        private final ArrayDeque<Object> idle = new ArrayDeque<>();
        private int total;
        private final int max = 5;

        synchronized Object borrow() throws InterruptedException {
            while (true) {
                if (!idle.isEmpty()) {
                    return idle.poll();
                }
                if (total < max) {
                    total++;
                    return new Object();
                }
                wait();
            }
        }

        synchronized void back(Object one, boolean broken) {
            if (broken) {
                total--;
            } else {
                idle.add(one);
            }
            notify();
        }
    }

    /** How many get in depends on what they ask for. */
    static class Weighed {
        private int open;
        private int bytes;

        synchronized void get(int n) throws InterruptedException {
            while (open >= 10 || bytes + n > 100) {
                wait();
            }
            open++;
            bytes += n;
        }

        synchronized void free(int n) {
            open--;
            bytes -= n;
            notifyAll();
        }
    }

    /** So many on each side. */
    static class Sides {
        private final int[] on = new int[2];

        synchronized void in(int side) throws InterruptedException {
            while (on[side] >= 2) {
                wait();
            }
            on[side]++;
        }

        synchronized void out(int side) {
            on[side]--;
            notifyAll();
        }
    }

    /** Of each kind and of all: there may be more kinds than fit in. */
    static class Kinds {
        private int all;
        private final java.util.Map<String, Integer> of = new java.util.HashMap<>();

        synchronized void in(String kind) throws InterruptedException {
            while (all >= 4 || of.getOrDefault(kind, 0) >= 2) {
                wait();
            }
            all++;
            of.merge(kind, 1, Integer::sum);
        }

        synchronized void out(String kind) {
            all--;
            of.merge(kind, -1, Integer::sum);
            notifyAll();
        }
    }

    /** So many, or so large together. */
    static class Bytes {
        private final ArrayDeque<byte[]> queue = new ArrayDeque<>();
        private int bytes;

        synchronized void put(byte[] b) throws InterruptedException {
            while (queue.size() >= 50 || bytes + b.length > 4000) {
                wait();
            }
            queue.add(b);
            bytes += b.length;
            notifyAll();
        }

        synchronized byte[] take() throws InterruptedException {
            while (queue.isEmpty()) {
                wait();
            }
            byte[] b = queue.poll();
            bytes -= b.length;
            notifyAll();
            return b;
        }
    }

    /** Their number is kept as well. */
    static class Counted {
        private final ArrayDeque<Object> queue = new ArrayDeque<>();
        private int n;

        synchronized void put(Object o) throws InterruptedException {
            while (n >= 6) {
                wait();
            }
            queue.add(o);
            n++;
            notifyAll();
        }

        synchronized Object take() throws InterruptedException {
            while (queue.isEmpty()) {
                wait();
            }
            n--;
            notifyAll();
            return queue.poll();
        }
    }

    /** Each flag is a step. */
    static class Parts {
        private boolean a;
        private boolean b;

        synchronized void one() {
            a = true;
            if (b) {
                notifyAll();
            }
        }

        synchronized void other() {
            b = true;
            if (a) {
                notifyAll();
            }
        }

        synchronized void all() throws InterruptedException {
            while (!(a && b)) {
                wait();
            }
        }
    }

    static class Answers {
        private Object a;
        private Object b;

        synchronized void one(Object o) {
            a = o;
            notifyAll();
        }

        synchronized void other(Object o) {
            b = o;
            notifyAll();
        }

        synchronized Object both() throws InterruptedException {
            while (a == null || b == null) {
                wait();
            }
            return a;
        }
    }

    static class Counts {
        private int a = 2;
        private int b = 3;

        synchronized void one() {
            a--;
            notifyAll();
        }

        synchronized void other() {
            b--;
            notifyAll();
        }

        synchronized void all() throws InterruptedException {
            while (a > 0 || b > 0) {
                wait();
            }
        }
    }

    /** Either of them opens it. */
    static class First {
        private boolean a;
        private boolean b;

        synchronized void one() {
            a = true;
            notifyAll();
        }

        synchronized void other() {
            b = true;
            notifyAll();
        }

        synchronized void any() throws InterruptedException {
            while (!a && !b) {
                wait();
            }
        }
    }

    /** Two places, one step. */
    static class Result {
        private Object value;
        private boolean done;

        synchronized void set(Object o) {
            value = o;
            done = true;
            notifyAll();
        }

        synchronized Object get() throws InterruptedException {
            while (!done || value == null) {
                wait();
            }
            return value;
        }
    }

    /** One step may do for both. */
    static class Abort {
        private boolean a;
        private boolean b;

        synchronized void one() {
            a = true;
            notifyAll();
        }

        synchronized void other() {
            b = true;
            notifyAll();
        }

        synchronized void abort() {
            a = true;
            b = true;
            notifyAll();
        }

        synchronized void all() throws InterruptedException {
            while (!a || !b) {
                wait();
            }
        }
    }
}
