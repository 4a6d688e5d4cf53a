import java.util.ArrayDeque;

// @lock Limits$a
// @type SEMAPHORE permits=-
// @role acquire Limits$a.q
// @role release Limits$a.w
//
// @lock Limits$b
// @type SEMAPHORE permits=-
// @role acquire Limits$b.q
// @role release Limits$b.w
//
// @lock Limits$c
// @type SEMAPHORE permits=-
// @role acquire Limits$c.q
// @role release Limits$c.w
//
// @lock Limits$d
// @type PRODUCER-CONSUMER capacity=bounded
// @role put Limits$d.q
// @role take Limits$d.w
//
// @lock Limits$e
// @type SEMAPHORE permits=4
// @role acquire Limits$e.q
// @role release Limits$e.w
//
// @lock Limits$f
// @type SEMAPHORE permits=-
// @role acquire Limits$f.q
// @role release Limits$f.w
//
// @lock Limits$g
// @type SEMAPHORE permits=-
// @role acquire Limits$g.q
// @role release Limits$g.w
//
// @lock Limits$h
// @type SEMAPHORE permits=3
// @role acquire Limits$h.q
// @role release Limits$h.w
/** Limits that are moved while the lock is in use, and some that are not. */
public class Limits {
    /** Says itself how many may be inside. */
    static class a {
        private int x, y = 2;

        synchronized void q() throws InterruptedException {
            while (x >= y) wait();
            x++;
        }

        synchronized void w() {
            x--;
            if (x < y) notify();
        }

        synchronized void e(int n) {
            boolean more = n > y;
            y = n;
            if (more) notifyAll();
        }

        static void turn(a s, int n) {
            s.e(n);
        }
    }

    /** Anybody says it. */
    static class b {
        private int x;
        volatile int y = 3;

        void q() throws InterruptedException {
            synchronized (this) {
                while (x >= y) wait(20);
                x++;
            }
        }

        void w() {
            synchronized (this) {
                x--;
                notifyAll();
            }
        }
    }

    /** What is left moves with the limit. */
    static class c {
        private int x = 3, y = 3;

        synchronized void q() throws InterruptedException {
            while (x <= 0) wait();
            x--;
        }

        synchronized void w() {
            x++;
            notify();
        }

        synchronized void e(int n) {
            x += n - y;
            y = n;
            notifyAll();
        }
    }

    static class d {
        private final ArrayDeque<Object> x = new ArrayDeque<>();
        private int y = 4;

        synchronized void q(Object o) throws InterruptedException {
            while (x.size() >= y) wait();
            x.add(o);
            notifyAll();
        }

        synchronized Object w() throws InterruptedException {
            while (x.isEmpty()) wait();
            notifyAll();
            return x.poll();
        }

        synchronized void e(int n) {
            y = n;
            notifyAll();
        }
    }

    /** One who has come counts up, one who has gone as well: no limit moves. */
    static class e {
        private long x, y;

        synchronized void q() throws InterruptedException {
            while (x - y >= 4) wait();
            x++;
        }

        synchronized void w() {
            y++;
            notify();
        }
    }

    /** How many may be inside follows how it goes, in parts of one. */
    static class f {
        private int x;
        private double y = 3;

        synchronized void q() throws InterruptedException {
            while (x >= (int) y) wait();
            x++;
        }

        synchronized void w(boolean good) {
            x--;
            y = good ? Math.min(6, y + .1) : Math.max(2, y / 2);
            notifyAll();
        }
    }

    /** The same, now and then. */
    static class g {
        private int x, y = 3, z;

        synchronized void q() throws InterruptedException {
            while (x >= y) wait();
            x++;
        }

        synchronized void w() {
            x--;
            if (++z % 50 == 0) y = y + z / 50;
            notifyAll();
        }
    }

    /** Both counts begin anew when nobody is inside. */
    static class h {
        private int x, y;

        synchronized void q() throws InterruptedException {
            while (x - y >= 3) wait();
            x++;
        }

        synchronized void w() {
            if (++y == x) {
                x = 0;
                y = 0;
            }
            notify();
        }
    }

    static void go(f one, g two, h three) throws InterruptedException {
        one.q();
        one.w(System.nanoTime() % 2 == 0);
        two.q();
        two.w();
        three.q();
        three.w();
    }

    static void use(a one, b two, c three, d four, e five) throws InterruptedException {
        one.q();
        one.w();
        one.e((int) System.nanoTime() % 4 + 2);
        two.q();
        two.w();
        two.y = (int) System.nanoTime() % 4 + 2;
        three.q();
        three.w();
        three.e((int) System.nanoTime() % 4 + 2);
        four.q(one);
        four.w();
        four.e((int) System.nanoTime() % 4 + 2);
        five.q();
        five.w();
    }

    public static void main(String[] args) throws InterruptedException {
        use(new a(), new b(), new c(), new d(), new e());
        go(new f(), new g(), new h());
    }
}
