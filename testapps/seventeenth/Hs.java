// @lock Hs$a
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock Hs$a.a
// @role read-unlock Hs$a.b
// @role write-lock Hs$a.c
// @role write-unlock Hs$a.d
//
// @lock Hs$c
// @type JOIN
// @role join Hs$c.b

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A family tree that is read and edited recursively; descents are computed on a thread each that reports its end. */
public class Hs {
    static class a {
        private final Map<Thread, Integer> a = new IdentityHashMap<>();
        private Thread b;
        private int c;

        synchronized void a() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (b != null && b != t) {
                wait();
            }
            a.merge(t, 1, Integer::sum);
        }

        synchronized void b() {
            Thread t = Thread.currentThread();
            Integer n = a.remove(t);
            if (n == null) {
                throw new IllegalMonitorStateException();
            }
            if (n > 1) {
                a.put(t, n - 1);
            } else if (a.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            Thread t = Thread.currentThread();
            if (a.containsKey(t)) {
                throw new IllegalStateException("upgrade");
            }
            while (!(b == t || b == null && a.isEmpty())) {
                wait();
            }
            b = t;
            c++;
        }

        synchronized void d() {
            if (b != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            if (--c == 0) {
                b = null;
                notifyAll();
            }
        }
    }

    static class c implements Runnable {
        private final b a;
        private int b = -1;
        private boolean c;

        c(b a) {
            this.a = a;
        }

        @Override
        public void run() {
            int n = -2;
            try {
                n = a.a(0);
            } catch (InterruptedException e) {
                n = -3;
            } finally {
                a(n);
            }
        }

        private synchronized void a(int n) {
            b = n;
            c = true;
            notifyAll();
        }

        synchronized int b() throws InterruptedException {
            while (!c) {
                wait();
            }
            return b;
        }
    }

    static class b {
        private final a a = new a();
        private final Map<Integer, int[]> b = new HashMap<>();

        b() {
            for (int i = 0; i < 7; i++) {
                b.put(i, new int[2]);
            }
        }

        int a(int i) throws InterruptedException {
            if (i >= 7) {
                return 0;
            }
            a.a();
            try {
                int[] p = b.get(i);
                if (p[0] != p[1]) {
                    throw new IllegalStateException("half");
                }
                if (i == 3) {
                    Thread.sleep(2);
                }
                return 1 + a(2 * i + 1) + a(2 * i + 2);
            } finally {
                a.b();
            }
        }

        void b(int i) throws InterruptedException {
            a.c();
            try {
                int[] p = b.get(i);
                p[0]++;
                Thread.sleep(1);
                if (i > 0) {
                    b((i - 1) / 2);
                }
                p[1]++;
            } finally {
                a.d();
            }
        }
    }

    static final AtomicLong d = new AtomicLong();
    static volatile String e;

    static void f(Thread t) {
        t.setDaemon(true);
        t.setUncaughtExceptionHandler((x, y) -> e = y.toString());
        t.start();
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        b t = new b();
        for (int i = 0; i < 7; i++) {
            final int k = i;
            f(new Thread(() -> {
                try {
                    while (e == null) {
                        ThreadLocalRandom r = ThreadLocalRandom.current();
                        if (k < 3) {
                            if (t.a(0) != 7) {
                                e = "lost";
                            }
                            Thread.sleep(r.nextInt(4, 11));
                        } else if (k < 5) {
                            t.b(r.nextInt(7));
                            Thread.sleep(r.nextInt(6, 14));
                        } else {
                            c j = new c(t);
                            f(new Thread(j));
                            if (j.b() != 7) {
                                e = "descent";
                            }
                            Thread.sleep(r.nextInt(8, 15));
                        }
                        d.incrementAndGet();
                    }
                } catch (InterruptedException x) {
                    e = "interrupted";
                }
            }));
        }
        System.out.println("READY");
        long u = System.nanoTime() + n * 1_000_000_000L;
        while (e == null && System.nanoTime() < u) {
            Thread.sleep(20);
        }
        System.out.println(e == null ? "DONE " + d : e);
        System.exit(e == null ? 0 : 1);
    }
}
