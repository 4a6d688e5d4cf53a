// @lock Bounds$Desk
// @type PRODUCER-CONSUMER capacity=6
// @role put Bounds$Desk.a
// @role put Bounds$Desk.b
// @role take Bounds$Desk.c
//
// @lock Bounds$Shelf
// @type PRODUCER-CONSUMER capacity=9
// @role put Bounds$Shelf.a
// @role put Bounds$Shelf.b
// @role take Bounds$Shelf.c
//
// @lock Bounds$Lane
// @type SEMAPHORE permits=5
// @role acquire Bounds$Lane.a
// @role acquire Bounds$Lane.b
// @role release Bounds$Lane.c
//
// @lock Bounds$Seats
// @type SEMAPHORE permits=7
// @role acquire Bounds$Seats.a
// @role acquire Bounds$Seats.b
// @role release Bounds$Seats.c
//
// @lock Bounds$Alike
// @type PRODUCER-CONSUMER capacity=4
// @role put Bounds$Alike.a
// @role put Bounds$Alike.b
// @role take Bounds$Alike.c

import java.util.ArrayDeque;

/** Limits of their own for those who come by another door: the highest is the lock's. */
public class Bounds {
    /** Two may go on where others wait already. */
    static class Desk {
        private final ArrayDeque<String> d = new ArrayDeque<>();

        synchronized void a(String s) throws InterruptedException {
            while (d.size() >= 4) {
                wait();
            }
            d.addLast(s);
            notifyAll();
        }

        synchronized void b(String s) throws InterruptedException {
            while (d.size() >= 6) {
                wait();
            }
            d.addFirst(s);
            notifyAll();
        }

        synchronized String c() throws InterruptedException {
            while (d.isEmpty()) {
                wait();
            }
            String s = d.removeFirst();
            notifyAll();
            return s;
        }
    }

    /** The same over an array; the higher limit is that of the array. */
    static class Shelf {
        private final Object[] e = new Object[9];
        private int f;

        void a(Object o) throws InterruptedException {
            synchronized (e) {
                while (f == e.length) {
                    e.wait();
                }
                e[f++] = o;
                e.notifyAll();
            }
        }

        void b(Object o) throws InterruptedException {
            synchronized (e) {
                while (f > 4) {
                    e.wait();
                }
                e[f++] = o;
                e.notifyAll();
            }
        }

        Object c() throws InterruptedException {
            synchronized (e) {
                while (f == 0) {
                    e.wait();
                }
                Object o = e[--f];
                e.notifyAll();
                return o;
            }
        }
    }

    /** Counted up: some keep a part free. */
    static class Lane {
        private int n;

        synchronized void a() throws InterruptedException {
            while (n >= 3) {
                wait();
            }
            n++;
        }

        synchronized void b() throws InterruptedException {
            while (n >= 5) {
                wait();
            }
            n++;
        }

        synchronized void c() {
            n--;
            notifyAll();
        }
    }

    /** Counted down. */
    static class Seats {
        private int n = 7;

        synchronized void a() throws InterruptedException {
            while (n <= 2) {
                wait();
            }
            n--;
        }

        synchronized void b() throws InterruptedException {
            while (n == 0) {
                wait();
            }
            n--;
        }

        synchronized void c() {
            n++;
            notifyAll();
        }
    }

    /** Two doors with one limit. */
    static class Alike {
        private final ArrayDeque<String> d = new ArrayDeque<>();

        synchronized void a(String s) throws InterruptedException {
            while (d.size() >= 4) {
                wait();
            }
            d.addLast(s);
            notifyAll();
        }

        synchronized void b(String s) throws InterruptedException {
            while (d.size() > 3) {
                wait();
            }
            d.addFirst(s);
            notifyAll();
        }

        synchronized String c() throws InterruptedException {
            while (d.isEmpty()) {
                wait();
            }
            String s = d.removeFirst();
            notifyAll();
            return s;
        }
    }
}
