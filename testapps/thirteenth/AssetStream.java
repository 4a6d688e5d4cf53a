// A game client that streams assets: decoders put one texture at a time where the renderer fetches it; the scenes' short
// loaders are joined with a time limit, in a loop; a tally is seldom fought for. Names as the obfuscator left them.
//
// @lock AssetStream$a
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put AssetStream$a.a
// @role take AssetStream$a.b
//
// @lock AssetStream$b
// @type JOIN
// @role join AssetStream$b.a
//
// @lock AssetStream$c
// @type MUTEX
// @role enter AssetStream$c.a
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class AssetStream {
    static volatile String q;
    static final AtomicLong r = new AtomicLong(), s = new AtomicLong();

    static final class a {
        private Object a;

        synchronized void a(Object o) throws InterruptedException {
            while (a != null)
                wait();
            a = o;
            notifyAll();
        }

        synchronized Object b() throws InterruptedException {
            while (a == null)
                wait();
            Object o = a;
            a = null;
            notifyAll();
            return o;
        }
    }

    static final class b extends Thread {
        private boolean a;
        private int b;

        b() {
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
                b = 77;
            } catch (InterruptedException e) {
                q = "b";
            }
            synchronized (this) {
                a = true;
                notifyAll();
            }
        }

        int a(long l) throws InterruptedException {
            long t = System.currentTimeMillis() + l;
            synchronized (this) {
                while (!a) {
                    long d = t - System.currentTimeMillis();
                    if (d <= 0)
                        return -1;
                    wait(d);
                }
                return b;
            }
        }
    }

    static class c {
        private long a;

        long a(int i) {
            synchronized (this) {
                a += i;
                return a;
            }
        }
    }

    static void d(a a, c c, int k) throws InterruptedException {
        for (long n = k;; n += 2) {
            a.a(n);
            if (c.a(1) <= 0)
                q = "tally";
            Thread.sleep(ThreadLocalRandom.current().nextInt(5) + (n % 12 < 4 ? 8 : 0));
        }
    }

    static void e(a a) throws InterruptedException {
        long[] l = {-1, -1};
        for (;;) {
            long n = (Long) a.b();
            int i = (int) (n & 1);
            if (n <= l[i])
                q = "texture " + n + " after " + l[i];
            l[i] = n;
            r.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    static void f(c c) throws InterruptedException {
        for (;;) {
            b[] t = {new b(), new b(), new b()};
            for (b x : t)
                x.start();
            for (b x : t) {
                int v;
                while ((v = x.a(5)) == -1)
                    c.a(0);
                if (v != 77)
                    q = "loaded " + v;
                s.incrementAndGet();
            }
            Thread.sleep(1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final a a = new a();
        final c c = new c();
        for (int i = 0; i < 5; i++) {
            final int k = i;
            Thread t = new Thread() {
                @Override
                public void run() {
                    try {
                        if (k < 2)
                            d(a, c, k);
                        else if (k == 2)
                            e(a);
                        else
                            f(c);
                    } catch (InterruptedException | RuntimeException e) {
                        q = e.toString();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long e = System.currentTimeMillis() + n * 1000L;
        while (q == null && System.currentTimeMillis() < e)
            Thread.sleep(20);
        if (q == null && (r.get() == 0 || s.get() == 0))
            q = "no progress";
        if (q != null) {
            System.out.println("BROKEN " + q);
            System.exit(1);
        }
        System.out.println("DONE " + (r.get() + s.get()));
    }
}
