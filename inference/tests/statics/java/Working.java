// @lock Working$Pile
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Working$Pile.a
// @role take Working$Pile.b
//
// @lock Working$Front
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Working$Front.a
// @role take Working$Front.b
//
// @lock Working$Crew
// @type PRODUCER-CONSUMER capacity=5
// @role put Working$Crew.a
// @role take Working$Crew.b
//
// @lock Working$Stripe
// @type LOCK reentrant=true
// @role lock Working$Stripes.a
// @role unlock Working$Stripes.b
//
// @lock Working$Later
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Working$Later.a
// @role take Working$Later.b
//
// @lock Working$Turns
// @type CONDITION
// @role wait Working$Turns.a
// @role notify Working$Turns.a

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.PriorityQueue;
import java.util.Set;

/** Work, and those who do it. */
public class Working {
    /** Whoever comes when there is nothing and nobody is at work is told that all is done. */
    static class Pile {
        private final Deque<Object> st = new ArrayDeque<>();
        private int n;

        synchronized void a(Object o) {
            st.push(o);
            notify();
        }

        synchronized Object b() throws InterruptedException {
            while (st.isEmpty()) {
                if (n == 0) {
                    notifyAll();
                    return null;
                }
                wait();
            }
            n++;
            return st.pop();
        }

        synchronized void c() {
            if (--n == 0 && st.isEmpty()) {
                notifyAll();
            }
        }
    }

    /** The same, asked in one condition. */
    static class Front {
        private final LinkedList<Object> q = new LinkedList<>();
        private int n;

        synchronized void a(Object o) {
            q.add(o);
            notifyAll();
        }

        synchronized Object b() throws InterruptedException {
            while (q.isEmpty() && n > 0) {
                wait();
            }
            if (q.isEmpty()) {
                return null;
            }
            n++;
            return q.remove();
        }

        synchronized void c() {
            n--;
            if (n == 0) {
                notifyAll();
            }
        }
    }

    static void work(Pile p) throws InterruptedException {
        for (Object o = p.b(); o != null; o = p.b()) {
            p.a(o.toString());
            p.c();
        }
    }

    static void work(Front f) throws InterruptedException {
        for (Object o = f.b(); o != null; o = f.b()) {
            f.a(o.toString());
            f.c();
        }
    }

    /** Whether somebody is hired is asked once; what is waited for is room. */
    static class Crew {
        private final LinkedList<Runnable> q = new LinkedList<>();
        private final Set<Thread> t = new HashSet<>();
        private final int some;
        private final int most;
        private final int room;

        Crew(int some, int most, int room) {
            this.some = some;
            this.most = most;
            this.room = room;
        }

        synchronized void a(Runnable r) throws InterruptedException {
            if (t.size() < some || (q.size() >= room && t.size() < most)) {
                Thread one = new Thread(r);
                t.add(one);
                one.start();
                return;
            }
            while (q.size() >= room) {
                wait();
            }
            q.addLast(r);
            notifyAll();
        }

        synchronized Runnable b() throws InterruptedException {
            boolean late = false;
            while (q.isEmpty()) {
                if (late && t.size() > some) {
                    t.remove(Thread.currentThread());
                    return null;
                }
                long from = System.nanoTime();
                wait(60);
                late = System.nanoTime() - from >= 60000000L;
            }
            Runnable r = q.removeFirst();
            notifyAll();
            return r;
        }
    }

    /** One of several locks, chosen by what is locked. */
    static class Stripe {
        private Thread t;
        private int n;
    }

    static class Stripes {
        private final Stripe[] all = new Stripe[4];

        Stripes() {
            for (int i = 0; i < all.length; i++) {
                all[i] = new Stripe();
            }
        }

        void a(Object o) throws InterruptedException {
            Stripe s = all[o.hashCode() & 3];
            synchronized (s) {
                Thread me = Thread.currentThread();
                while (s.t != null && s.t != me) {
                    s.wait();
                }
                s.t = me;
                s.n++;
            }
        }

        void b(Object o) {
            Stripe s = all[o.hashCode() & 3];
            synchronized (s) {
                if (s.t != Thread.currentThread()) {
                    throw new IllegalStateException();
                }
                if (--s.n == 0) {
                    s.t = null;
                    s.notify();
                }
            }
        }
    }

    static class Due implements Comparable<Due> {
        final long at;

        Due(long at) {
            this.at = at;
        }

        @Override
        public int compareTo(Due o) {
            return Long.compare(at, o.at);
        }
    }

    /** What is taken when its time has come, until it is shut down. */
    static class Later {
        private final PriorityQueue<Due> q = new PriorityQueue<>();
        private boolean end;

        synchronized void a(Due d) {
            if (end) {
                throw new IllegalStateException();
            }
            q.add(d);
            if (q.peek() == d) {
                notify();
            }
        }

        synchronized Due b() throws InterruptedException {
            while (!end) {
                Due d = q.peek();
                if (d == null) {
                    wait();
                    continue;
                }
                long ms = (d.at - System.nanoTime()) / 1000000L;
                if (ms <= 0) {
                    q.poll();
                    if (!q.isEmpty()) {
                        notify();
                    }
                    return d;
                }
                wait(ms);
            }
            return null;
        }

        synchronized void c() {
            end = true;
            notifyAll();
        }
    }

    enum Colour {
        RED,
        AMBER,
        GREEN;

        Colour next() {
            return values()[(ordinal() + 1) % 3];
        }
    }

    /** One after the other. */
    static class Turns {
        private Colour now = Colour.RED;

        synchronized void a(Colour c) throws InterruptedException {
            while (now != c) {
                wait();
            }
            now = now.next();
            notifyAll();
        }
    }

    static void take(Turns turns, int one) throws InterruptedException {
        turns.a(Colour.values()[one]);
    }

    static void locked(Stripes stripes, Object o) throws InterruptedException {
        stripes.a(o);
        stripes.b(o);
    }

    public static void main(String[] args) throws InterruptedException {
        Crew crew = new Crew(2, 4, 5);
        crew.a(() -> {});
        crew.b().run();
    }
}
