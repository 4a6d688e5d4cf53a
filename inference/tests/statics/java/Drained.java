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
//
// @lock Drained$Pipe
// @type PRODUCER-CONSUMER capacity=48
// @role put Drained$Pipe.a
// @role take Drained$Pipe.b

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

    /** A pipe of bytes: where it is written, where it is read, and nothing if the one is before its beginning. */
    static class Pipe {
        private final byte[] r = new byte[48];
        private int i = -1;
        private int o;

        synchronized void a(byte[] b, int at, int n) throws InterruptedException {
            while (n > 0) {
                while (i == o) {
                    notifyAll();
                    wait(1000);
                }
                int k;
                if (o < i) {
                    k = r.length - i;
                } else if (i == -1) {
                    i = 0;
                    o = 0;
                    k = r.length;
                } else {
                    k = o - i;
                }
                k = Math.min(k, n);
                System.arraycopy(b, at, r, i, k);
                i += k;
                at += k;
                n -= k;
                if (i >= r.length) {
                    i = 0;
                }
            }
            notifyAll();
        }

        synchronized int b(byte[] b) throws InterruptedException {
            while (i < 0) {
                notifyAll();
                wait(1000);
            }
            int n = 0;
            while (n < b.length && i >= 0) {
                b[n++] = r[o++];
                if (o >= r.length) {
                    o = 0;
                }
                if (i == o) {
                    i = -1;
                }
            }
            notifyAll();
            return n;
        }
    }

    static final Box BOX = new Box();
    static final Swap SWAP = new Swap();
    static final Loop LOOP = new Loop();
    static final Pipe PIPE = new Pipe();

    static void put() throws InterruptedException {
        BOX.a("x");
        SWAP.a("x");
        LOOP.a(() -> {});
        LOOP.b(5, LOOP::d);
        PIPE.a(new byte[9], 0, 9);
    }

    static void take() throws InterruptedException {
        BOX.b();
        SWAP.b();
        LOOP.c();
        PIPE.b(new byte[7]);
    }

    public static void main(String[] args) throws InterruptedException {
        take();
        put();
    }
}
