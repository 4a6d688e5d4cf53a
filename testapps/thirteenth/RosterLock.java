// A duty roster read and changed strictly in order of arrival; whoever has to wait does so on an object of its own, that
// stands in a chain and is told when its turn has come. Names as the obfuscator left them.
//
// @lock RosterLock$b
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock RosterLock$b.a
// @role write-lock RosterLock$b.b
// @role read-unlock RosterLock$b.c
// @role write-unlock RosterLock$b.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class RosterLock {
    static volatile String s;
    static final AtomicLong r = new AtomicLong(), w = new AtomicLong();

    static final class a {
        final boolean a;
        boolean b;
        a c;

        a(boolean a) {
            this.a = a;
        }
    }

    static final class b {
        private a a, b; // the chain of those who wait
        private int c;
        private boolean d;

        void a() throws InterruptedException {
            a n;
            synchronized (this) {
                if (!d && a == null) {
                    c++;
                    return;
                }
                n = e(new a(false));
            }
            synchronized (n) {
                while (!n.b)
                    n.wait();
            }
        }

        void b() throws InterruptedException {
            a n;
            synchronized (this) {
                if (!d && c == 0 && a == null) {
                    d = true;
                    return;
                }
                n = e(new a(true));
            }
            synchronized (n) {
                while (!n.b)
                    n.wait();
            }
        }

        synchronized void c() {
            c--;
            f();
        }

        synchronized void d() {
            d = false;
            f();
        }

        private a e(a n) {
            if (a == null)
                a = n;
            else
                b.c = n;
            return b = n;
        }

        private void f() {
            while (a != null && !d && (!a.a || c == 0)) {
                a n = a;
                a = n.c;
                if (n.a)
                    d = true;
                else
                    c++;
                synchronized (n) {
                    n.b = true;
                    n.notify();
                }
            }
        }
    }

    static final int[] q = {4, 3, 2, 1};

    static void c(b b) throws InterruptedException {
        for (;;) {
            b.a();
            int t = 0;
            for (int i : q)
                t += i;
            Thread.sleep(2);
            for (int i : q)
                t -= i;
            b.c();
            if (t != 0)
                s = "changed while read";
            r.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
        }
    }

    static void d(b b) throws InterruptedException {
        for (;;) {
            b.b();
            int i = ThreadLocalRandom.current().nextInt(4), j = ThreadLocalRandom.current().nextInt(4);
            q[i]--;
            Thread.sleep(2);
            q[j]++;
            int t = 0;
            for (int k : q)
                t += k;
            if (t != 10)
                s = "two writers";
            b.d();
            w.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final b b = new b();
        for (int i = 0; i < 7; i++) {
            final int k = i;
            Thread t = new Thread(() -> {
                try {
                    if (k < 5)
                        c(b);
                    else
                        d(b);
                } catch (InterruptedException e) {
                    s = "i" + k;
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long e = System.nanoTime() + n * 1_000_000_000L;
        while (s == null && System.nanoTime() < e)
            Thread.sleep(20);
        if (s == null && (r.get() == 0 || w.get() == 0))
            s = "nobody got in";
        if (s != null) {
            System.out.println("BROKEN " + s);
            System.exit(1);
        }
        System.out.println("DONE " + (r.get() + w.get()));
    }
}
