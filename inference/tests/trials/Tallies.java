// @lock Tallies$B
// @type LATCH
// @role count-down Tallies$B.a
// @role await Tallies$B.c

/** Numbers of which callers say by how much they move, and which way. */
public class Tallies {
    /** One method for one more and one less. */
    static class B {
        private int x;
        private int y;
        void a(int z) {
            synchronized (this) {
                x += z;
                if (x < 0) throw new IllegalStateException();
                if (x == 0 && y > 0) notifyAll();
            }
        }
        void b() {
            a(-1);
        }
        synchronized void c() throws InterruptedException {
            y++;
            try {
                while (x > 0) wait();
            } finally {
                y--;
            }
        }
    }

    static void use(int n) throws InterruptedException {
        B b = new B();
        for (int i = 0; i < n; i++) b.a(1);
        b.b();
        b.c();
    }
}
