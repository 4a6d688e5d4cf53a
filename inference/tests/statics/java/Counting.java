import java.util.ArrayDeque;
import java.util.LinkedList;

// @lock Counting$Plain
// @type SEMAPHORE permits=3
// @role acquire Counting$Plain.acquire
// @role release Counting$Plain.release
//
// @lock Counting$b
// @type SEMAPHORE permits=7
// @role acquire Counting$b.a
// @role acquire Counting$b.c
// @role release Counting$b.b
//
// @lock Counting$Weighted
// @type SEMAPHORE permits=100
// @role acquire Counting$Weighted.take
// @role release Counting$Weighted.give
//
// @lock java.lang.Object#in
// @type SEMAPHORE permits=4
// @role acquire Counting$Guarded.in
// @role release Counting$Guarded.out
//
// @lock java.lang.Class#grab
// @type SEMAPHORE permits=2
// @role acquire Counting$Shared.grab
// @role release Counting$Shared.drop
//
// @lock Counting$Pool
// @type SEMAPHORE permits=6 form=object-pool
// @role acquire Counting$Pool.borrow
// @role release Counting$Pool.giveBack
//
// @lock Counting$Books
// @type SEMAPHORE permits=50
// @role acquire Counting$Books.reserve
// @role release Counting$Books.free
// @role release Counting$Books.freeAll
/** Semaphores in several styles. */
public class Counting {
    static class Plain {
        private int permits;

        Plain(int n) {
            permits = n;
        }

        synchronized void acquire() throws InterruptedException {
            while (permits <= 0) {
                wait();
            }
            permits--;
        }

        synchronized void release() {
            permits++;
            notify();
        }
    }

    /** Counted up, obfuscated, with a timed variant. */
    static class b {
        private int d;
        private final int e;

        b(int f) {
            e = f;
        }

        void a() throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    if (d < e) {
                        ++d;
                        return;
                    }
                    wait();
                }
            }
        }

        synchronized boolean c(long f) throws InterruptedException {
            long g = System.nanoTime() + f;
            while (d >= e) {
                long h = g - System.nanoTime();
                if (h <= 0L) {
                    return false;
                }
                wait(h / 1000000 + 1);
            }
            d = d + 1;
            return true;
        }

        synchronized void b() {
            if (d > 0) {
                d--;
                notifyAll();
            }
        }
    }

    static class Weighted {
        private long left = 100;

        synchronized void take(int n) throws InterruptedException {
            try {
                while (left < n) {
                    wait();
                }
            } catch (InterruptedException e) {
                notify();
                throw e;
            }
            left -= n;
        }

        synchronized void give(int n) {
            left += n;
            notifyAll();
        }
    }

    static class Guarded {
        private final Object lock = new Object();
        private final int max = 4;
        private int inside;

        private boolean full() {
            return inside == max;
        }

        void in() throws InterruptedException {
            synchronized (lock) {
                while (full()) {
                    lock.wait();
                }
                inside++;
            }
        }

        void out() {
            synchronized (lock) {
                inside--;
                lock.notify();
            }
        }
    }

    static class Shared {
        private static int free = 2;

        static synchronized void grab() throws InterruptedException {
            while (free == 0) {
                Shared.class.wait();
            }
            free--;
        }

        static void drop() {
            synchronized (Shared.class) {
                free++;
                Shared.class.notify();
            }
        }
    }

    static class Pool {
        private final ArrayDeque<StringBuilder> idle = new ArrayDeque<>();

        Pool() {
            for (int i = 0; i < 6; i++) {
                idle.add(new StringBuilder());
            }
        }

        synchronized StringBuilder borrow() throws InterruptedException {
            while (idle.isEmpty()) {
                wait();
            }
            return idle.removeFirst();
        }

        synchronized void giveBack(StringBuilder b) {
            idle.addFirst(b);
            notify();
        }
    }

    public static void main(String[] a) throws Exception {
        new Plain(3).acquire();
        new b(7).a();
        Pool p = new Pool();
        p.giveBack(p.borrow());
    }

    /** Who holds how much is kept; all that somebody holds can be given back at once. */
    static class Books {
        private final java.util.Map<String, Integer> held = new java.util.HashMap<>();
        private int used;

        synchronized void reserve(String who, int n) throws InterruptedException {
            while (used + n > 50) {
                wait();
            }
            used += n;
            held.merge(who, n, Integer::sum);
        }

        synchronized void free(String who, int n) {
            held.merge(who, -n, Integer::sum);
            used -= n;
            notifyAll();
        }

        synchronized int freeAll(String who) {
            Integer all = held.remove(who);
            if (all == null) {
                return 0;
            }
            used -= all;
            notifyAll();
            return all;
        }
    }
}
