import java.util.ArrayList;

// @lock Slowest$g
// @type PRODUCER-CONSUMER capacity=bounded
// @role put Slowest$g.q
// @role take Slowest$g$h.w
/** A ring that several read. */
public class Slowest {
    /** Everybody who is there gets everything: the slowest says how much room is left. */
    static class g {
        private final Object[] x = new Object[16];
        private final ArrayList<h> y = new ArrayList<>();
        private long z;

        class h {
            private long v;

            Object w() throws InterruptedException {
                synchronized (g.this) {
                    while (v == z) g.this.wait();
                    Object o = x[(int) (v++ % 16)];
                    g.this.notifyAll();
                    return o;
                }
            }
        }

        synchronized h e() {
            h n = new h();
            n.v = z;
            y.add(n);
            return n;
        }

        private long m() {
            long m = z;
            for (h one : y) if (one.v < m) m = one.v;
            return m;
        }

        synchronized void q(Object o) throws InterruptedException {
            while (z - m() >= 16) wait();
            x[(int) (z++ % 16)] = o;
            notifyAll();
        }
    }

    static void use(g one) throws InterruptedException {
        g.h two = one.e();
        one.q(two);
        two.w();
    }

    public static void main(String[] args) throws InterruptedException {
        use(new g());
    }
}
