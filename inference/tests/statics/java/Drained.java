// Things that are gathered, and taken all at once.
//
// @lock java.util.LinkedList#a
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Drained$Box.a
// @role take Drained$Box.b
//
// @lock Drained$Swap
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Drained$Swap.a
// @role take Drained$Swap.b
//
// @lock Drained$Loop
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Drained$Loop.a
// @role put Drained$Loop.b
// @role take Drained$Loop.c

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.PriorityQueue;

/** Things that are gathered. */
public class Drained {
    /** A flag tells that there is something. */
    static class Box {
        private final LinkedList<String> l = new LinkedList<>();
        private boolean f;

        void a(String s) {
            synchronized (l) {
                l.add(s);
                if (!f) {
                    f = true;
                    l.notify();
                }
            }
        }

        List<String> b() throws InterruptedException {
            synchronized (l) {
                while (!f) {
                    l.wait();
                }
                f = false;
                List<String> out = new ArrayList<>(l);
                l.clear();
                return out;
            }
        }
    }

    /** The same; another list takes the place of the full one. */
    static class Swap {
        private List<String> l = new ArrayList<>();
        private boolean f;

        synchronized void a(String s) {
            l.add(s);
            f = true;
            notify();
        }

        synchronized List<String> b() throws InterruptedException {
            while (!f) {
                wait();
            }
            f = false;
            List<String> out = l;
            l = new ArrayList<>();
            return out;
        }
    }

    static class Later {
        final long at;
        final Runnable r;

        Later(long at, Runnable r) {
            this.at = at;
            this.r = r;
        }
    }

    /** The same, and things whose time has come. */
    static class Loop {
        private List<Runnable> l = new ArrayList<>();
        private final PriorityQueue<Later> t = new PriorityQueue<>((x, y) -> Long.compare(x.at, y.at));
        private boolean f;
        private boolean q;

        void a(Runnable r) {
            synchronized (this) {
                l.add(r);
                f = true;
                notify();
            }
        }

        void b(long ms, Runnable r) {
            synchronized (this) {
                t.add(new Later(System.currentTimeMillis() + ms, r));
                f = true;
                notify();
            }
        }

        void d() {
            synchronized (this) {
                q = true;
                notify();
            }
        }

        void c() throws InterruptedException {
            for (; ; ) {
                List<Runnable> batch;
                synchronized (this) {
                    while (!f && !q) {
                        Later n = t.peek();
                        if (n == null) {
                            wait();
                        } else {
                            long ms = n.at - System.currentTimeMillis();
                            if (ms <= 0) {
                                break;
                            }
                            wait(ms);
                        }
                    }
                    if (q) {
                        return;
                    }
                    f = false;
                    batch = l;
                    l = new ArrayList<>();
                    long now = System.currentTimeMillis();
                    while (!t.isEmpty() && t.peek().at <= now) {
                        batch.add(t.poll().r);
                    }
                }
                for (Runnable r : batch) {
                    r.run();
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Box box = new Box();
        box.a("x");
        box.b();
        Swap swap = new Swap();
        swap.a("x");
        swap.b();
        Loop loop = new Loop();
        loop.a(() -> {});
        loop.b(5, loop::d);
        loop.c();
    }
}
