// @lock Rounds$A
// @type BARRIER parties=4
// @role arrive Rounds$A.a
// @role arrive Rounds$A.b
//
// @lock Rounds$D
// @type CONDITION
// @role wait Rounds$D.a
// @role wait Rounds$D.b
// @role wait Rounds$D.c
// @role notify Rounds$D.a
// @role notify Rounds$D.c

/** Who waits until all have come, or until it is his turn to get in or out. */
public class Rounds {
    /** All come in before any goes on, and all have gone on before any comes in anew. */
    static class A {
        private final int x;
        private int y;
        private boolean v, w = true;
        A(int x) {
            this.x = x;
        }
        synchronized void a() throws InterruptedException {
            if (++y == x) {
                w = false;
                v = true;
                notifyAll();
            }
            while (!v) wait();
        }
        synchronized void b() throws InterruptedException {
            if (--y == 0) {
                v = false;
                w = true;
                notifyAll();
            }
            while (!w) wait();
        }
        void c() throws InterruptedException {
            a();
            b();
        }
    }

    /** What some wait for is where they are let in, and what another waits for is how many have gone; nothing is handed over. */
    static class D {
        private final int[] x = new int[6], y = new int[6];
        private int z, w;
        private boolean v;
        synchronized void a(int p, int q) throws InterruptedException {
            x[p]++;
            w++;
            notifyAll();
            while (!(v && z == p)) wait();
            x[p]--;
            y[q]++;
            notifyAll();
            while (!(v && z == q)) wait();
            y[q]--;
            w--;
            notifyAll();
        }
        synchronized void b() throws InterruptedException {
            while (w == 0) wait();
        }
        void c(int p) throws InterruptedException {
            synchronized (this) {
                z = p;
                if (x[p] == 0 && y[p] == 0) return;
                v = true;
                notifyAll();
                while (x[p] > 0 || y[p] > 0) wait();
                v = false;
            }
        }
    }

    static void use(int n) throws InterruptedException {
        A a = new A(4);
        a.c();
        D d = new D();
        d.b();
        d.c(n);
        d.a(n, n + 1);
    }
}
