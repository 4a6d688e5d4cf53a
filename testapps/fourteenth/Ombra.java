// Two locks out of one home-grown framework, after the obfuscator: the base class waits, the subclasses decide.
// @lock Ombra$b
// @type LOCK reentrant=true
// @role lock Ombra$a.a
// @role unlock Ombra$a.b
// @lock Ombra$c
// @type LOCK reentrant=false
// @role lock Ombra$a.a
// @role unlock Ombra$a.b
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Ombra {
    static volatile String x;
    static final AtomicLong y = new AtomicLong();

    abstract static class a {
        abstract boolean c(Thread t);

        abstract boolean d(Thread t);

        final synchronized void a() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (!c(t)) {
                wait();
            }
        }

        final synchronized void b() {
            if (d(Thread.currentThread())) {
                notify();
            }
        }
    }

    static final class b extends a {
        private Thread e;
        private int f;

        @Override
        boolean c(Thread t) {
            if (e != null && e != t) {
                return false;
            }
            e = t;
            f++;
            return true;
        }

        @Override
        boolean d(Thread t) {
            if (e != t) {
                throw new IllegalMonitorStateException();
            }
            if (--f > 0) {
                return false;
            }
            e = null;
            return true;
        }
    }

    static final class c extends a {
        private boolean e;

        @Override
        boolean c(Thread t) {
            if (e) {
                return false;
            }
            e = true;
            return true;
        }

        @Override
        boolean d(Thread t) {
            if (!e) {
                throw new IllegalMonitorStateException();
            }
            e = false;
            return true;
        }
    }

    static final b g = new b();
    static final c h = new c();
    static int i;
    static int j;
    static long k;
    static long l;

    static void m(int n) throws InterruptedException {
        g.a();
        try {
            if (n > 0) {
                i++;
                m(n - 1);
                j++;
            } else {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                if (ThreadLocalRandom.current().nextInt(4) == 0 && i < j) {
                    x = "outline torn";
                }
            }
        } finally {
            g.b();
        }
    }

    static void o() throws InterruptedException {
        h.a();
        try {
            k++;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            l++;
            if (k != l) {
                x = "pair torn";
            }
        } finally {
            h.b();
        }
    }

    public static void main(String[] p) throws InterruptedException {
        int q = p.length > 0 ? Integer.parseInt(p[0]) : 600;
        for (int r = 0; r < 8; r++) {
            final boolean s = r < 4;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        if (s) {
                            m(ThreadLocalRandom.current().nextInt(3));
                        } else {
                            o();
                        }
                        y.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    }
                } catch (InterruptedException u) {
                    x = "interrupted";
                } catch (RuntimeException u) {
                    x = u.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long v = System.currentTimeMillis() + q * 1000L;
        while (x == null && System.currentTimeMillis() < v) {
            Thread.sleep(20);
        }
        if (x != null) {
            System.out.println(x);
            System.exit(1);
        }
        System.out.println("DONE " + y.get());
    }
}
