// Three that take turns, and a signal whose colours let different threads through; obfuscated.
// @lock Talus$a
// @type CONDITION
// @role wait Talus$a.a
// @role notify Talus$a.b
// @lock Talus$b
// @type CONDITION
// @role wait Talus$b.a
// @role notify Talus$b.b
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Talus {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    static final class a {
        private final int a;
        private int b;

        a(int c) {
            a = c;
        }

        synchronized void a(int c) throws InterruptedException {
            while (b != c) {
                wait();
            }
        }

        synchronized void b() {
            b = (b + 1) % a;
            notifyAll();
        }
    }

    enum c { a, b, c }

    static final class b {
        private c c = Talus.c.a;
        private final Map<c, Integer> d = new EnumMap<>(c.class);

        void a(c e) throws InterruptedException {
            synchronized (this) {
                while (c != e) {
                    wait();
                }
                d.merge(e, 1, Integer::sum);
            }
        }

        void b(c e) {
            synchronized (this) {
                c = e;
                notifyAll();
            }
        }

        synchronized int c(c e) {
            return d.getOrDefault(e, 0);
        }
    }

    static final a e = new a(3);
    static final b f = new b();
    static volatile int g = -1;

    static void h(int i) throws InterruptedException {
        e.a(i);
        if (g >= 0 && (g + 1) % 3 != i) {
            zx = "out of turn";
        }
        g = i;
        zn(1, 3);
        zy.incrementAndGet();
        e.b();
    }

    static void i(c j) throws InterruptedException {
        int k = f.c(j);
        f.a(j);
        if (f.c(j) <= k) {
            zx = "not counted";
        }
        zy.incrementAndGet();
        zn(5, 12);
    }

    static void j() throws InterruptedException {
        for (c k : c.values()) {
            f.b(k);
            zn(4, 9);
        }
    }

    public static void main(String[] q) throws InterruptedException {
        for (int k = 0; k < 3; k++) {
            final int l = k;
            zz(1, () -> h(l));
            zz(2, () -> i(c.values()[l]));
        }
        zz(1, Talus::j);
        zw(q);
    }

    interface z {
        void a() throws InterruptedException;
    }

    static void zz(int n, z s) {
        for (int i = 0; i < n; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        s.a();
                    }
                } catch (InterruptedException e) {
                    zx = "interrupted";
                } catch (RuntimeException e) {
                    zx = e.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    static void zn(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void zw(String[] q) throws InterruptedException {
        System.out.println("READY");
        long e = System.currentTimeMillis() + (q.length > 0 ? Integer.parseInt(q[0]) : 600) * 1000L;
        while (zx == null && System.currentTimeMillis() < e) {
            Thread.sleep(20);
        }
        if (zx != null) {
            System.out.println(zx);
            System.exit(1);
        }
        System.out.println("DONE " + zy.get());
    }
}
