// @lock Filling$Span
// @type SEMAPHORE form=rate-limiter
// @role acquire Filling$Span.a
// @role release Filling$Span.b
//
// @lock Filling$Heap
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Filling$Heap.a
// @role take Filling$Heap.b
//
// @lock Filling$Spout
// @type PRODUCER-CONSUMER capacity=5
// @role put Filling$Spout.a
// @role take Filling$Spout.b
// @role take Filling$Spout.c
//
// @lock Filling$Tank
// @type PRODUCER-CONSUMER capacity=9
// @role put Filling$Tank.a
// @role take Filling$Tank.b
//
// @lock Filling$Trio
// @type CONDITION
// @role wait Filling$Trio.a
// @role wait Filling$Trio.b
// @role wait Filling$Trio.c
// @role notify Filling$Trio.a
// @role notify Filling$Trio.b
// @role notify Filling$Trio.c
//
// @lock Filling$Strides
// @type CONDITION
// @role wait Filling$Strides.a
// @role wait Filling$Strides.b
// @role notify Filling$Strides.a
// @role notify Filling$Strides.b

import java.util.Collection;
import java.util.LinkedList;

/** What is filled up, emptied at once, or only passed to and fro. */
class Filling {
    /** So many a span of time; whoever begins the next span allows all of them again. */
    static class Span {
        private final int all;
        private int open;

        Span(int all) {
            this.all = all;
            this.open = all;
        }

        synchronized void a() throws InterruptedException {
            while (open <= 0) {
                wait();
            }
            open -= 1;
        }

        synchronized void b() {
            boolean none = open == 0;
            open = all;
            if (none) {
                notifyAll();
            }
        }
    }

    static class Link {
        Object what;
        Link below;
    }

    /** A stack of links that is taken as a whole. */
    static class Heap {
        private Link top;

        void a(Object what) {
            Link link = new Link();
            link.what = what;
            synchronized (this) {
                link.below = top;
                top = link;
                notifyAll();
            }
        }

        Link b() throws InterruptedException {
            synchronized (this) {
                while (top == null) {
                    wait();
                }
                Link all = top;
                top = null;
                return all;
            }
        }
    }

    /** Elements are taken one by one or all at once, until it is shut. */
    static class Spout {
        private final LinkedList<Object> in = new LinkedList<>();
        private boolean shut;

        synchronized boolean a(Object o) throws InterruptedException {
            while (!shut && in.size() >= 5) {
                wait();
            }
            if (shut) {
                return false;
            }
            in.addLast(o);
            notifyAll();
            return true;
        }

        synchronized Object b() throws InterruptedException {
            await();
            Object o = in.pollFirst();
            if (o != null) {
                notifyAll();
            }
            return o;
        }

        synchronized int c(Collection<Object> into) throws InterruptedException {
            await();
            int n = in.size();
            if (n > 0) {
                into.addAll(in);
                in.clear();
                notifyAll();
            }
            return n;
        }

        private void await() throws InterruptedException {
            while (in.isEmpty() && !shut) {
                wait();
            }
        }

        synchronized void d() {
            shut = true;
            notifyAll();
        }
    }

    /** Every other turn is the first one's, and he says whose comes between. */
    static class Trio {
        private int whose;

        synchronized void a(boolean second) throws InterruptedException {
            while (whose != 0) {
                wait();
            }
            whose = second ? 2 : 1;
            notifyAll();
        }

        synchronized void b() throws InterruptedException {
            while (whose != 1) {
                wait();
            }
            whose = 0;
            notifyAll();
        }

        synchronized void c() throws InterruptedException {
            while (whose != 2) {
                wait();
            }
            whose = 0;
            notifyAll();
        }
    }

    /** Once filled it takes nothing until it has run low. */
    static class Tank {
        private int level;
        private boolean shut;

        synchronized void a() throws InterruptedException {
            while (shut) {
                wait();
            }
            if (++level >= 9) {
                shut = true;
            }
            notifyAll();
        }

        synchronized void b() throws InterruptedException {
            while (level == 0) {
                wait();
            }
            level--;
            if (shut && level <= 3) {
                shut = false;
                notifyAll();
            }
        }
    }

    /** The left foot and the right foot. */
    static class Strides {
        private int steps;

        synchronized void a() throws InterruptedException {
            while (steps % 2 == 1) {
                wait();
            }
            steps++;
            notify();
        }

        synchronized void b() throws InterruptedException {
            while (steps % 2 == 0) {
                wait();
            }
            steps++;
            notify();
        }
    }

    static void use(Object o) throws InterruptedException {
        Span span = new Span(7);
        span.a();
        span.b();
        new Heap().a(o);
        new Spout().a(o);
        new Tank().a();
        new Trio().a(true);
        new Strides().a();
    }
}
