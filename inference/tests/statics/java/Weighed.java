// @lock Weighed$Deck.g
// @type SEMAPHORE permits=100
// @role acquire Weighed$Deck.f
// @role release Weighed$Deck.h
//
// @lock Weighed$Rows
// @type SEMAPHORE permits=4
// @role acquire Weighed$Rows.f
// @role release Weighed$Rows.h
//
// @lock Weighed$Hold
// @type SEMAPHORE permits=60
// @role acquire Weighed$Hold.a
// @role release Weighed$Hold.b
//
// @lock Weighed$Made
// @type SEMAPHORE
// @role acquire Weighed$Made.a
// @role release Weighed$Made.b
//
// @lock Weighed$Pipe
// @type PRODUCER-CONSUMER capacity=48
// @role put Weighed$Pipe.a
// @role take Weighed$Pipe.b

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** What somebody brings along says how much he takes. */
public class Weighed {
    static class Load {
        final String a;
        final int b;

        Load(String c, int d) {
            a = c;
            b = d;
        }
    }

    /** By weight. */
    static class Deck {
        private final Object g = new Object();
        private final int m;
        private int n;

        Deck(int a) {
            m = a;
        }

        void f(Load l) throws InterruptedException {
            synchronized (g) {
                while (n + l.b > m) g.wait();
                n += l.b;
            }
        }

        void h(Load l) {
            synchronized (g) {
                n -= l.b;
                g.notifyAll();
            }
        }
    }

    /** Each takes one place, whatever it weighs. */
    static class Rows {
        private int n = 4;
        private long s;

        synchronized void f(Load l) throws InterruptedException {
            while (n == 0) wait();
            n--;
            s = l.b;
        }

        synchronized void h(Load l) {
            n++;
            notify();
        }
    }

    /** The same by way of a local variable and of another method. */
    static class Hold {
        private int n = 60;

        private boolean fits(Load l) {
            return l.b <= n;
        }

        synchronized void a(Load l) throws InterruptedException {
            while (!fits(l)) wait();
            int w = l.b;
            n -= w;
        }

        synchronized void b(Load l) {
            int w = l.b;
            n += w;
            notifyAll();
        }
    }

    /** What it takes is made of what is brought along: how much there is of that, nobody tells. */
    static class Made {
        private final Map<Load, Integer> m = new HashMap<>();

        private int sum() {
            int s = 0;
            for (int v : m.values()) s += v;
            return s;
        }

        synchronized void a(Load l) throws InterruptedException {
            int w = l.b * 32;
            while (sum() + w > 512) wait();
            m.put(l, w);
        }

        synchronized void b(Load l) {
            m.remove(l);
            notifyAll();
        }
    }

    /** What is put in takes up room. */
    static class Pipe {
        private final Queue<Load> q = new ArrayDeque<>();
        private final int most;
        private int n;

        Pipe(int a) {
            most = a;
        }

        synchronized void a(Load l) throws InterruptedException {
            while (n + l.b > most) wait();
            q.add(l);
            n += l.b;
            notifyAll();
        }

        synchronized Load b() throws InterruptedException {
            while (q.isEmpty()) wait();
            Load l = q.remove();
            n -= l.b;
            notifyAll();
            return l;
        }
    }

    public static void main(String[] args) throws Exception {
        Deck d = new Deck(100);
        Rows r = new Rows();
        Hold h = new Hold();
        Made m = new Made();
        Pipe p = new Pipe(48);
        for (int i = 0; i < 4; i++) {
            Load l = new Load("l" + i, 10 * i);
            new Thread(() -> {
                try {
                    d.f(l);
                    d.h(l);
                    r.f(l);
                    r.h(l);
                    h.a(l);
                    h.b(l);
                    m.a(l);
                    m.b(l);
                    p.a(l);
                    p.b();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }).start();
        }
    }
}
