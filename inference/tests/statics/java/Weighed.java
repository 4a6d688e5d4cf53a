// @lock Weighed$Deck.g
// @type SEMAPHORE
// @role acquire Weighed$Deck.f
// @role release Weighed$Deck.h
//
// @lock Weighed$Rows
// @type SEMAPHORE permits=4
// @role acquire Weighed$Rows.f
// @role release Weighed$Rows.h

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

    public static void main(String[] args) throws Exception {
        Deck d = new Deck(100);
        Rows r = new Rows();
        for (int i = 0; i < 4; i++) {
            Load l = new Load("l" + i, 10 * i);
            new Thread(() -> {
                try {
                    d.f(l);
                    d.h(l);
                    r.f(l);
                    r.h(l);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }).start();
        }
    }
}
