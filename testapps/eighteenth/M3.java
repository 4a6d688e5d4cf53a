// @lock M3$a
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire M3$a.a
// @role acquire M3$a.b
// @role release M3$a.c
// @lock M3$b
// @type MUTEX
// @role enter M3$b.a
// @role enter M3$b.b
// @quiet

import java.util.LinkedList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Four connections for nine clients; some of these give up after a while. */
public class M3 {
    static volatile String d;
    static final AtomicLong e = new AtomicLong();

    static class c {
        final AtomicBoolean a = new AtomicBoolean();
        final int b;

        c(int b) {
            this.b = b;
        }

        void a(int t) throws InterruptedException {
            if (!a.compareAndSet(false, true)) {
                d = "connection " + b + " used by two";
            }
            Thread.sleep(t);
            a.set(false);
        }
    }

    static class a {
        private final LinkedList<c> a = new LinkedList<>();
        private final Object b = new f();

        a() {
            for (int i = 0; i < 4; i++) {
                a.add(new c(i));
            }
        }

        synchronized c a() throws InterruptedException {
            while (a.isEmpty()) {
                wait();
            }
            return a.removeFirst();
        }

        synchronized c b(long t) throws InterruptedException {
            long n = System.currentTimeMillis();
            long x = n + t;
            while (a.isEmpty() && n < x) {
                wait(x - n);
                n = System.currentTimeMillis();
            }
            return a.isEmpty() ? null : a.removeFirst();
        }

        synchronized void c(c c) {
            if (a.contains(c) || b == null) {
                d = "returned twice";
            }
            a.addLast(c);
            notifyAll();
        }
    }

    static class f {
    }

    static class b {
        private int a = 4;
        private int b = 8;

        void a(int x) {
            synchronized (this) {
                a = x;
                b = 2 * x;
            }
        }

        int b() {
            synchronized (this) {
                if (b != 2 * a) {
                    d = "torn settings";
                }
                return a;
            }
        }
    }

    static class g implements Runnable {
        private final a a;
        private final b b;
        private final int c;

        g(a a, b b, int c) {
            this.a = a;
            this.b = b;
            this.c = c;
        }

        public void run() {
            try {
                for (int n = 0;; n++) {
                    c x = c < 6 ? a.a() : a.b(30);
                    if (x != null) {
                        x.a(b.b());
                        a.c(x);
                        e.incrementAndGet();
                    }
                    if (n % 50 == 0) {
                        b.a(2 + (n / 50 + c) % 3);
                    }
                    Thread.sleep(2);
                }
            } catch (InterruptedException x) {
                d = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a a = new a();
        b b = new b();
        for (int i = 0; i < 9; i++) {
            Thread t = new Thread(new g(a, b, i));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long q = System.nanoTime() + s * 1000000000L;
        while (System.nanoTime() < q && d == null) {
            Thread.sleep(30);
        }
        if (d != null) {
            System.out.println(d);
            System.exit(1);
        }
        System.out.println("DONE " + e);
        System.exit(0);
    }
}
