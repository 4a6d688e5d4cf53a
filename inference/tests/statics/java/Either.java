import java.util.ArrayList;

// @lock Either$c
// @type READ-WRITE reentrant=false
// @role read-lock Either$b.q
// @role write-lock Either$b.q
// @role read-unlock Either$b.w
// @role write-unlock Either$b.w
/** Who takes a row says how; what he has taken he gives back at the end, however he has it. */
public class Either {
    static final class c {
        int x;
        boolean y;
    }

    static final class b {
        final ArrayList<c> x = new ArrayList<>();

        void q(c r, boolean w) throws InterruptedException {
            synchronized (r) {
                if (w) {
                    while (r.y || r.x > 0) r.wait();
                    r.y = true;
                } else {
                    while (r.y) r.wait();
                    r.x++;
                }
            }
            x.add(r);
        }

        void w() {
            for (c r : x) {
                synchronized (r) {
                    if (r.y) r.y = false;
                    else r.x--;
                    r.notifyAll();
                }
            }
            x.clear();
        }
    }

    static void use(c one, c two, boolean all) throws InterruptedException {
        b t = new b();
        t.q(one, all);
        t.q(two, !all);
        t.w();
    }

    public static void main(String[] args) throws InterruptedException {
        use(new c(), new c(), args.length > 0);
    }
}
