// @lock Qp$a
// @type READ-WRITE preference=writers reentrant=true
// @role read-lock Qp$a.a
// @role read-unlock Qp$a.b
// @role write-lock Qp$a.c
// @role write-unlock Qp$a.d
// @lock Qp$b
// @type BARRIER parties=2 form=exchanger
// @role arrive Qp$b.a

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

public final class Qp {
    static final class a {
        private final Map<Thread, Integer> e = new HashMap<>();
        private Thread f;
        private int g;
        private int h;

        synchronized void a() throws InterruptedException {
            Thread i = Thread.currentThread();
            Integer j = e.get(i);
            if (j == null) {
                while (f != null && f != i || h > 0 && f != i) {
                    wait();
                }
                j = 0;
            }
            e.put(i, j + 1);
        }

        synchronized void b() {
            Thread i = Thread.currentThread();
            int j = e.get(i) - 1;
            if (j > 0) {
                e.put(i, j);
            } else {
                e.remove(i);
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            Thread i = Thread.currentThread();
            if (f != i) {
                h++;
                try {
                    while (f != null || !e.isEmpty()) {
                        wait();
                    }
                    f = i;
                } finally {
                    h--;
                    notifyAll();
                }
            }
            g++;
        }

        synchronized void d() {
            if (--g == 0) {
                f = null;
                notifyAll();
            }
        }
    }

    // two meet and each goes with what the other brought
    static final class b<T> {
        private c<T> d;

        private static final class c<T> {
            final T a;
            T b;
            boolean c;

            c(T a) {
                this.a = a;
            }
        }

        synchronized T a(T e) throws InterruptedException {
            c<T> f = d;
            if (f != null) {
                d = null;
                f.b = e;
                f.c = true;
                notifyAll();
                return f.a;
            }
            f = new c<>(e);
            d = f;
            while (!f.c) {
                wait();
            }
            return f.b;
        }
    }

    private final a e = new a();
    private final b<int[]> f = new b<>();
    private final AtomicInteger g = new AtomicInteger();
    private int h;
    private int i;
    private volatile RuntimeException j;

    private int a(int k) throws InterruptedException {
        e.a();
        try {
            if (k > 0) {
                return a(k - 1);
            }
            int l = h;
            Thread.sleep(2);
            if (l != h || l != i) {
                throw new IllegalStateException(l + " " + i);
            }
            return l;
        } finally {
            e.b();
        }
    }

    private void b(int k) throws InterruptedException {
        e.c();
        try {
            h++;
            if (k == 0) {
                Thread.sleep(1);
            } else {
                h--;
                b(k - 1);
                h++;
            }
            i = h;
            a(0);
        } finally {
            e.d();
        }
    }

    private void c(int k) throws InterruptedException {
        int[] l = {k, 0};
        for (;;) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 14));
            l[1] = k;
            int[] m = f.a(l);
            if (m == l || m[1] == k) {
                throw new IllegalStateException("own");
            }
            l = m;
            g.incrementAndGet();
        }
    }

    private interface d {
        void a() throws InterruptedException;
    }

    private void a(d k) {
        Thread l = new Thread(() -> {
            try {
                for (;;) {
                    k.a();
                    g.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 10));
                }
            } catch (InterruptedException m) {
                return;
            } catch (RuntimeException m) {
                j = m;
            }
        });
        l.setDaemon(true);
        l.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long k = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Qp l = new Qp();
        for (int m = 0; m < 5; m++) {
            l.a(() -> l.a(ThreadLocalRandom.current().nextInt(3)));
        }
        for (int m = 0; m < 2; m++) {
            l.a(() -> l.b(ThreadLocalRandom.current().nextInt(2)));
        }
        for (int m = 1; m < 5; m++) {
            int n = m;
            l.a(() -> l.c(n));
        }
        System.out.println("READY");
        Thread.sleep(k * 1000);
        if (l.j != null) {
            l.j.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + l.g);
    }
}
