import java.util.BitSet;
import java.util.HashMap;

// @lock Leases$f
// @type SEMAPHORE permits=3
// @role acquire Leases$f.q
// @role release Leases$f.w
// @role release Leases$f.e
//
// @lock Leases$g
// @type SEMAPHORE permits=4
// @role acquire Leases$g.q
// @role release Leases$g.w
// @role release Leases$g.e
/** Things that are lent, and come back in more than one way. */
public class Leases {
    /** Lent for a time; what was not given back is taken back. */
    static class f {
        private final long[] x = new long[3];
        private final BitSet y = new BitSet(3);
        private final int[] z = new int[3];

        synchronized int[] q(int ms) throws InterruptedException {
            int i;
            while ((i = y.nextClearBit(0)) >= 3) wait();
            y.set(i);
            x[i] = System.currentTimeMillis() + ms;
            return new int[] {i, z[i]};
        }

        synchronized void w(int[] l) {
            if (z[l[0]] != l[1]) return;
            z[l[0]]++;
            y.clear(l[0]);
            notify();
        }

        synchronized int e() {
            int n = 0;
            long now = System.currentTimeMillis();
            for (int i = y.nextSetBit(0); i >= 0; i = y.nextSetBit(i + 1)) {
                if (x[i] < now) {
                    z[i]++;
                    y.clear(i);
                    n++;
                }
            }
            if (n > 0) notifyAll();
            return n;
        }
    }

    /** Whoever goes gives back all that he has. */
    static class g {
        private final HashMap<Thread, Integer> x = new HashMap<>();
        private int y = 4;

        synchronized void q() throws InterruptedException {
            while (y == 0) wait();
            y--;
            x.merge(Thread.currentThread(), 1, Integer::sum);
        }

        synchronized void w() {
            Integer n = x.get(Thread.currentThread());
            if (n == null) return;
            if (n == 1) x.remove(Thread.currentThread());
            else x.put(Thread.currentThread(), n - 1);
            y++;
            notify();
        }

        synchronized void e() {
            Integer n = x.remove(Thread.currentThread());
            if (n != null) {
                y += n;
                notifyAll();
            }
        }
    }

    static void use(f one, g two) throws InterruptedException {
        int[] l = one.q(5);
        one.w(l);
        one.e();
        two.q();
        two.w();
        two.q();
        two.q();
        two.e();
    }

    public static void main(String[] args) throws InterruptedException {
        use(new f(), new g());
    }
}
