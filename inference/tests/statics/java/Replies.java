import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

// @lock Replies$a
// @type LATCH count=1
// @role await Replies$a.b
// @role count-down Replies$a.c
//
// @lock Replies$d
// @type LATCH count=1
// @role await Replies$d.b
// @role count-down Replies$d.c
//
// @lock Replies$e
// @type SEMAPHORE permits=2
// @role acquire Replies$e.b
// @role release Replies$e.c
//
// @lock Replies$f
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Replies$f.c
// @role take Replies$f.b
//
// @lock Replies$g
// @type SEMAPHORE permits=2
// @role acquire Replies$g.b
// @role release Replies$g.c
//
// @lock Replies$h
// @type READ-WRITE
// @role read-lock Replies$h.b
// @role read-unlock Replies$h.c
// @role write-lock Replies$h.d
// @role write-unlock Replies$h.e
/** Answers for which somebody waits once, what looks like them, and who waits by the time at which he came. */
public class Replies {
    /** What it is, its caller says. */
    static class a {
        private byte told;

        synchronized byte b() throws InterruptedException {
            while (told == 0) {
                wait();
            }
            return told;
        }

        synchronized void c(byte what) {
            if (told != 2) {
                told = what;
            }
            notify();
        }
    }

    /** One wait; who has waited in vain wants no answer any more. */
    static class d {
        private int state;
        private Object answer;

        synchronized Object b(long millis) throws InterruptedException {
            if (state == 0) {
                wait(millis);
            }
            if (state == 0) {
                state = -1;
            }
            return answer;
        }

        synchronized void c(Object what) {
            if (state < 0) {
                return;
            }
            answer = what;
            state = 1;
            notifyAll();
        }
    }

    /** One wait for a permit; what was in vain is counted. */
    static class e {
        private int left = 2;
        private long vain;

        synchronized boolean b(long millis) throws InterruptedException {
            if (left == 0) {
                wait(millis);
            }
            if (left == 0) {
                vain++;
                return false;
            }
            left--;
            return true;
        }

        synchronized void c() {
            left++;
            notify();
        }

        void use(long millis) throws InterruptedException {
            if (b(millis)) {
                c();
            }
        }
    }

    /** The same of a list. */
    static class f {
        private final Deque<Object> all = new ArrayDeque<>();
        private long vain;

        synchronized Object b(long millis) throws InterruptedException {
            if (all.isEmpty()) {
                wait(millis);
            }
            if (all.isEmpty()) {
                vain++;
                return null;
            }
            return all.removeFirst();
        }

        synchronized void c(Object one) {
            all.addLast(one);
            notify();
        }
    }

    /** Two of them are made when they are needed. */
    static class g {
        private final List<Object> made = new ArrayList<>();
        private final Deque<Object> idle = new ArrayDeque<>();

        synchronized Object b() throws InterruptedException {
            if (!idle.isEmpty()) {
                return idle.pop();
            }
            if (made.size() < 2) {
                Object one = new Object();
                made.add(one);
                return one;
            }
            while (idle.isEmpty()) {
                wait(1_000);
            }
            return idle.pop();
        }

        synchronized void c(Object one) {
            idle.push(one);
            notifyAll();
        }

        void use() throws InterruptedException {
            Object one = b();
            c(one);
        }
    }

    /** Readers wait until a writer has left since they came. */
    static class h {
        private int readers;
        private int writers;
        private int waiting;
        private int wanting;
        private boolean free = true;
        private long since;

        synchronized void b() throws InterruptedException {
            if (wanting > 0 || writers > 0) {
                waiting++;
                long came = System.nanoTime();
                while (came >= since) {
                    wait();
                }
                waiting--;
            }
            readers++;
        }

        synchronized void c() {
            readers--;
            free = readers == 0;
            if (free) {
                notifyAll();
            }
        }

        synchronized void d() throws InterruptedException {
            if (readers > 0 || writers > 0) {
                wanting++;
                free = false;
                while (!free) {
                    wait();
                }
                wanting--;
            }
            free = false;
            writers++;
        }

        synchronized void e() {
            writers--;
            free = waiting == 0;
            since = System.nanoTime();
            notifyAll();
        }
    }
}
