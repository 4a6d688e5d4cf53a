// @lock Yk$a
// @type PRODUCER-CONSUMER capacity=3
// @role put Yk$a.a
// @role take Yk$a.b
//
// @lock Yk$b
// @type LOCK reentrant=false
// @role lock Yk$b.a
// @role unlock Yk$b.b

import java.util.Stack;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Yk {
    static volatile String c;
    static final AtomicLong d = new AtomicLong();
    static final AtomicLong e = new AtomicLong();

    static final class a<T> {
        private final Stack<T> c = new Stack<>();

        boolean a(T t, long m) throws InterruptedException {
            long u = System.nanoTime() + m * 1_000_000L;
            synchronized (this) {
                while (c.size() >= 3) {
                    if (!c(u)) {
                        return false;
                    }
                }
                c.push(t);
                notifyAll();
                return true;
            }
        }

        T b(long m) throws InterruptedException {
            long u = System.nanoTime() + m * 1_000_000L;
            synchronized (this) {
                while (c.empty()) {
                    if (!c(u)) {
                        return null;
                    }
                }
                T t = c.pop();
                notifyAll();
                return t;
            }
        }

        private boolean c(long u) throws InterruptedException {
            long r = u - System.nanoTime();
            if (r <= 0) {
                return false;
            }
            wait(r / 1_000_000L, (int) (r % 1_000_000L));
            return true;
        }
    }

    static final class b {
        private int c;
        private int d;

        synchronized void a() throws InterruptedException {
            int t = c++;
            while (t != d) {
                wait();
            }
        }

        synchronized void b() {
            d++;
            notifyAll();
        }
    }

    static final a<Integer> f = new a<>();
    static final b g = new b();
    static int h;

    interface c {
        void a() throws InterruptedException;
    }

    static void a(int n, c k) {
        for (int i = 0; i < n; i++) {
            Thread t = new Thread(() -> {
                try {
                    for (;;) {
                        k.a();
                    }
                } catch (InterruptedException | RuntimeException z) {
                    c = z.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    static void a() throws InterruptedException {
        g.a();
        int i = ++h;
        Thread.sleep(1);
        if (i != h) {
            c = "two at once";
        }
        g.b();
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a(2, () -> {
            for (int i = 0; i < 9; i++) {
                if (f.a(i, 40)) {
                    d.incrementAndGet();
                }
            }
            a();
            Thread.sleep(ThreadLocalRandom.current().nextInt(45, 75));
        });
        a(3, () -> {
            Integer v = f.b(25);
            if (v != null) {
                e.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                a();
            }
        });
        System.out.println("READY");
        long u = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < u && c == null) {
            Thread.sleep(25);
            long o = e.get();
            long p = d.get();
            if (o > p + 2) {
                c = "taken " + o + ", put " + p;
            }
        }
        System.out.println(c != null ? c : "DONE " + e.get());
        System.exit(c != null ? 1 : 0);
    }
}
