// @lock Roused$Rw
// @type READ-WRITE
// @role read-lock Roused$Rw.a
// @role read-unlock Roused$Rw.b
// @role write-lock Roused$Rw.c
// @role write-unlock Roused$Rw.d
//
// @lock Roused$Line
// @type SEMAPHORE permits=2
// @role acquire Roused$Line.a
// @role release Roused$Line.b
//
// @lock Roused$Stopped
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Roused$Stopped.a
// @role take Roused$Stopped.b

import java.util.ArrayDeque;
import java.util.LinkedList;

/** Who waits is woken by an interrupt. */
public class Roused {
    /** All who wait are on a list. */
    static class Rw {
        private int r, w;
        private final LinkedList<Thread> q = new LinkedList<>();

        private void nap() {
            q.add(Thread.currentThread());
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.interrupted();
            }
        }

        private void wake() {
            while (!q.isEmpty()) q.removeFirst().interrupt();
        }

        synchronized void a() {
            while (w > 0) nap();
            r++;
        }

        synchronized void b() {
            r--;
            if (r == 0) wake();
        }

        synchronized void c() {
            while (w > 0 || r > 0) nap();
            w++;
        }

        synchronized void d() {
            w--;
            wake();
        }
    }

    /** The first of them is woken. */
    static class Line {
        private int n = 2;
        private final ArrayDeque<Thread> q = new ArrayDeque<>();

        synchronized void a() {
            while (n == 0) {
                q.addLast(Thread.currentThread());
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.interrupted();
                }
            }
            n--;
        }

        synchronized void b() {
            n++;
            Thread t = q.pollFirst();
            if (t != null) t.interrupt();
        }
    }

    /** The worker is told to stop so, and gets what is put in another way. */
    static class Stopped {
        private final ArrayDeque<String> q = new ArrayDeque<>();
        private volatile Thread t;

        synchronized void a(String s) {
            q.add(s);
            notify();
        }

        synchronized String b() throws InterruptedException {
            t = Thread.currentThread();
            while (q.isEmpty()) wait();
            return q.poll();
        }

        void stop() {
            Thread t = this.t;
            if (t != null) t.interrupt();
        }
    }

    static void use(Rw rw, Line line) {
        rw.a();
        rw.b();
        rw.c();
        rw.d();
        line.a();
        line.b();
    }

    static void serve(Stopped s) throws InterruptedException {
        s.b();
    }

    static void order(Stopped s) {
        s.a("x");
        s.stop();
    }

    public static void main(String[] args) throws InterruptedException {
        use(new Rw(), new Line());
        Stopped s = new Stopped();
        order(s);
        serve(s);
    }
}
