// @lock OperatorDesk$b
// @type SEMAPHORE permits=3
// @role acquire OperatorDesk$a.a
// @role release OperatorDesk$a.b
//
// @lock OperatorDesk$c
// @type MUTEX
// @role enter OperatorDesk$c.a
// @role enter OperatorDesk$c.b

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Directory enquiries: three operators given to callers in order of arrival, each waiting caller on a monitor of its own; a directory that answers one question at a time. */
public class OperatorDesk {
    static volatile boolean d;
    static volatile String e;
    static final AtomicLong f = new AtomicLong();
    static final AtomicInteger g = new AtomicInteger();

    static final class b {
        boolean a;
    }

    static final class a {
        private int a = 3;
        private final ArrayDeque<b> b = new ArrayDeque<>();

        void a() throws InterruptedException {
            b n;
            synchronized (this) {
                if (a > 0) {
                    a--;
                    return;
                }
                b.addLast(n = new b());
            }
            synchronized (n) {
                while (!n.a) n.wait();
            }
        }

        void b() {
            b n;
            synchronized (this) {
                n = b.pollFirst();
                if (n == null) {
                    a++;
                    return;
                }
            }
            synchronized (n) {
                n.a = true;
                n.notify();
            }
        }
    }

    static final class c {
        private final int[] a = new int[64];
        private int b;

        int a(int i) throws InterruptedException {
            synchronized (this) {
                Thread.sleep(1);
                return a[i & 63];
            }
        }

        void b(int i) throws InterruptedException {
            synchronized (this) {
                int k = ++b;
                a[i & 63] += 2;
                Thread.sleep(1);
                if (k != b) e = "directory changed by two";
            }
        }
    }

    static void h(a m, c n) {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        try {
            while (!d) {
                m.a();
                if (g.incrementAndGet() > 3) e = "a fourth operator";
                if ((n.a(r.nextInt()) & 1) != 0) e = "odd number";
                Thread.sleep(r.nextInt(1, 5));
                if (r.nextInt(4) == 0) n.b(r.nextInt());
                g.decrementAndGet();
                m.b();
                f.incrementAndGet();
                Thread.sleep(r.nextInt(1, 4));
            }
        } catch (InterruptedException x) {
            e = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a m = new a();
        c n = new c();
        for (int i = 0; i < 7; i++) {
            Thread t = new Thread(() -> h(m, n));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < s * 20 && e == null; i++) Thread.sleep(50);
        d = true;
        System.out.println(e == null ? "DONE " + f : e);
        System.exit(e == null ? 0 : 1);
    }
}
