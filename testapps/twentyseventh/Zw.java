// @lock Zw$a
// @type LATCH count=1 form=future
// @role count-down Zw$a.a
// @role await Zw$a.b
// @role await Zw$a.c
//
// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Zw$b.a
// @role take Zw$b.b

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

public class Zw {
    static volatile String a;
    static final AtomicLong b = new AtomicLong();

    static final class a<V> {
        private V d;
        private Throwable e;
        private int f;

        synchronized void a(V v, Throwable t) {
            if (f == 0) {
                d = v;
                e = t;
                f = t == null ? 1 : 2;
                notifyAll();
            }
        }

        synchronized V b() throws InterruptedException {
            while (f == 0) {
                wait();
            }
            return d();
        }

        synchronized V c(long m) throws InterruptedException {
            long u = System.currentTimeMillis() + m;
            while (f == 0) {
                long r = u - System.currentTimeMillis();
                if (r <= 0) {
                    throw new IllegalStateException("late");
                }
                wait(r);
            }
            return d();
        }

        private V d() {
            if (f == 2) {
                throw new IllegalStateException(e);
            }
            return d;
        }
    }

    static final class b {
        private final LinkedList<Runnable> c = new LinkedList<>();

        void a(Runnable r) {
            synchronized (c) {
                c.addLast(r);
                c.notify();
            }
        }

        Runnable b() throws InterruptedException {
            synchronized (c) {
                while (c.isEmpty()) {
                    c.wait();
                }
                return c.removeFirst();
            }
        }
    }

    static final class c extends Thread {
        private final b d = new b();

        c() {
            setDaemon(true);
        }

        <V> a<V> a(Supplier<V> s) {
            a<V> f = new a<>();
            d.a(() -> {
                try {
                    f.a(s.get(), null);
                } catch (RuntimeException z) {
                    f.a(null, z);
                }
            });
            return f;
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Runnable r = d.b();
                    Thread.sleep(2);
                    r.run();
                }
            } catch (InterruptedException z) {
                Zw.a = z.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        c e = new c();
        e.start();
        int[] f = {0};
        for (int i = 0; i < 3; i++) {
            final int j = i;
            Thread t = new Thread(() -> {
                try {
                    for (int k = 0; ; k++) {
                        final int m = k;
                        a<Integer> g = e.a(() -> {
                            f[0]++;
                            return m * m;
                        });
                        a<String> h = e.a(() -> j + ":" + m);
                        String s = j == 0 ? h.c(20_000) : h.b();
                        if (g.b() != m * m || !s.equals(j + ":" + m)) {
                            a = "wrong answer";
                        }
                        b.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(10, 25));
                    }
                } catch (InterruptedException | RuntimeException z) {
                    a = z.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (long u = System.nanoTime() + n * 1_000_000_000L; System.nanoTime() < u && a == null;) {
            Thread.sleep(20);
        }
        System.out.println(a != null ? a : "DONE " + b.get());
        System.exit(a != null ? 1 : 0);
    }
}
