// Rounds in which three names must be struck off a set before anybody goes on, and which a flag sets off; obfuscated.
// @lock Wicket$a
// @type LATCH count=3
// @role count-down Wicket$a.a
// @role await Wicket$a.b
// @lock java.lang.Object#d
// @type LATCH count=1
// @role count-down Wicket$b.c
// @role await Wicket$b.d
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Wicket {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    static final class a {
        private final Set<Integer> a = new HashSet<>();

        a(int b) {
            while (b-- > 0) {
                a.add(b);
            }
        }

        synchronized void a(int b) {
            if (a.remove(b) && a.isEmpty()) {
                notifyAll();
            }
        }

        synchronized boolean b(long c) throws InterruptedException {
            long d = System.currentTimeMillis() + c;
            while (!a.isEmpty()) {
                long e = d - System.currentTimeMillis();
                if (e <= 0) {
                    return false;
                }
                wait(e);
            }
            return true;
        }
    }

    static final class b {
        private final Object a = new Object();
        private boolean b;

        void c() {
            synchronized (a) {
                b = true;
                a.notifyAll();
            }
        }

        void d() throws InterruptedException {
            synchronized (a) {
                while (!b) {
                    a.wait();
                }
            }
        }
    }

    static final class c {
        final a a = new a(3);
        final b b = new b();
        final AtomicInteger c = new AtomicInteger();
        volatile boolean d;
        volatile c e;
    }

    static volatile c d = new c();

    static void e() throws InterruptedException {
        c f = d;
        zn(2, 5);
        c g = new c();
        f.e = g;
        f.d = true;
        f.b.c();
        if (!f.a.b(20000)) {
            zx = "round not finished";
        }
        if (f.c.get() != 3) {
            zx = "went on with " + f.c.get();
        }
        d = g;
        zy.incrementAndGet();
    }

    static final class f implements z {
        private c a = Wicket.d;
        private final int b;

        f(int b) {
            this.b = b;
        }

        @Override
        public void a() throws InterruptedException {
            a.b.d();
            if (!a.d) {
                zx = "too early";
            }
            zn(1, 6);
            a.c.incrementAndGet();
            a.a.a(b);
            a = a.e;
        }
    }

    public static void main(String[] q) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            zz(1, new f(i));
        }
        zz(1, Wicket::e);
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
