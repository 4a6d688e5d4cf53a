// The entity table of a game server: a home-made lock whose holder may also give it up until somebody has changed the
// table, all of it in one monitor; plus a counter of effects. Names as an obfuscator leaves them.
//
// @lock EntityGuard$a
// @type LOCK+CONDITION reentrant=true
// @role lock EntityGuard$a.a
// @role unlock EntityGuard$a.b
// @role wait EntityGuard$a.c
// @role notify EntityGuard$a.d
//
// @lock EntityGuard$b
// @type MUTEX
// @role enter EntityGuard$b.a

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class EntityGuard {
    static volatile String m;
    static final AtomicLong n = new AtomicLong();

    static class a {
        private Thread a;
        private int b;
        private long c;

        synchronized void a() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (a != null && a != t)
                wait();
            a = t;
            b++;
        }

        synchronized void b() {
            e();
            if (--b == 0) {
                a = null;
                notifyAll();
            }
        }

        /** Gives the lock up, waits for a change, and has the lock again afterwards. */
        synchronized void c() throws InterruptedException {
            e();
            int d = b;
            long f = c;
            a = null;
            b = 0;
            notifyAll();
            while (c == f)
                wait();
            while (a != null)
                wait();
            a = Thread.currentThread();
            b = d;
        }

        synchronized void d() {
            e();
            c++;
            notifyAll();
        }

        private void e() {
            if (a != Thread.currentThread())
                throw new IllegalMonitorStateException();
        }
    }

    static final class b {
        private long a;

        long a(int v) throws InterruptedException {
            synchronized (this) {
                a += v;
                if (v != 0)
                    Thread.sleep(1);
                return a;
            }
        }
    }

    static final List<Integer> c = new ArrayList<>();
    static int d;

    static void e(a a) throws InterruptedException {
        if (++d != 1)
            m = "two threads at the table";
        Thread.sleep(1);
        d--;
        a.a();
        a.b();
    }

    static void f(a a, b b) throws InterruptedException {
        for (int i = 0;; i++) {
            a.a();
            if (c.size() < 12)
                c.add(i);
            e(a);
            a.d();
            a.b();
            b.a(1);
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
        }
    }

    static void g(a a, b b) throws InterruptedException {
        for (;;) {
            a.a();
            while (c.isEmpty())
                a.c();
            c.remove(c.size() - 1);
            e(a);
            a.b();
            n.incrementAndGet();
            b.a(2);
            b.a(1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final a a = new a();
        final b b = new b();
        for (int i = 0; i < 5; i++) {
            final boolean h = i < 2;
            Thread t = new Thread() {
                @Override
                public void run() {
                    try {
                        if (h)
                            f(a, b);
                        else
                            g(a, b);
                    } catch (InterruptedException | RuntimeException e) {
                        m = e.toString();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long e = System.currentTimeMillis() + s * 1000L, l = -1;
        int idle = 0;
        while (m == null && System.currentTimeMillis() < e) {
            Thread.sleep(400);
            long k = b.a(0);
            idle = k <= l ? idle + 1 : 0;
            if (idle > 25)
                m = "stands still";
            l = k;
        }
        if (m != null) {
            System.out.println("BROKEN " + m);
            System.exit(1);
        }
        System.out.println("DONE " + n);
    }
}
