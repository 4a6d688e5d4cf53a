// A price list under a read-write lock that lets writers go first; its monitor also guards a tally printed by others. Rounds start at a gate, a new one each time. (o)
//
// @lock Wp$a
// @type READ-WRITE+MUTEX preference=writers reentrant=false
// @role read-lock Wp$a.a
// @role write-lock Wp$a.b
// @role read-unlock Wp$a.c
// @role write-unlock Wp$a.c
// @role enter Wp$a.d
// @role enter Wp$a.e
//
// @lock Wp$b
// @type LATCH count=1
// @role await Wp$b.a
// @role count-down Wp$b.b
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Wp {

    static class a {
        private int a, b;
        private final int[] d = new int[4];
        private int e;

        // below zero: written; above: read
        synchronized void a() throws InterruptedException {
            while (a < 0 || b > 0) wait();
            a++;
        }

        synchronized void b() throws InterruptedException {
            b++;
            try {
                while (a != 0) wait();
                a = -1;
            } finally {
                b--;
            }
        }

        synchronized void c() {
            if (a < 0) a = 0;
            else a--;
            if (a == 0) notifyAll();
        }

        synchronized void d(int f) {
            d[f]++;
            e++;
        }

        synchronized int e() throws InterruptedException {
            int f = 0;
            for (int g : d) f += g;
            x(f == e, "tally torn");
            Thread.sleep(1);
            return f;
        }
    }

    static final class b {
        private boolean a;
        b b;

        synchronized void a() throws InterruptedException {
            while (!a) wait();
        }

        synchronized void b() {
            a = true;
            notifyAll();
        }
    }

    static final a p = new a();
    static volatile b q = new b();
    static volatile int r, s;

    static void u() {
        for (int i = 0; i < 3; i++) {
            int c = i;
            b[] d = {q};
            v(() -> {
                d[0].a();
                d[0] = d[0].b;
                x(d[0] != null, "gate without a successor");
                p.a();
                try {
                    int e = r;
                    w(1, 4);
                    x(e == s, "half a list");
                } finally {
                    p.c();
                }
                p.d(c);
                y.incrementAndGet();
            });
        }
        v(() -> {
            w(11, 17);
            b e = q;
            b f = new b();
            e.b = f;
            q = f;
            e.b();
        });
        for (int i = 0; i < 3; i++) {
            boolean c = i < 2;
            v(() -> {
                if (c) {
                    p.b();
                    try {
                        int e = r + 1;
                        r = e;
                        w(1, 3);
                        s = e;
                    } finally {
                        p.c();
                    }
                    p.d(3);
                } else {
                    p.a();
                    try {
                        x(r == s, "half a list");
                        w(2, 5);
                    } finally {
                        p.c();
                    }
                }
                y.incrementAndGet();
                w(4, 10);
            });
        }
        v(() -> {
            x(p.e() >= 0, "negative");
            w(2, 5);
        });
        v(() -> {
            x(p.e() >= 0, "negative");
            w(3, 6);
        });
    }

    static final AtomicLong y = new AtomicLong();
    static volatile String z;

    interface Z { void a() throws InterruptedException; }

    static void x(boolean a, String b) { if (!a) z = b; }

    static void w(int a, int b) throws InterruptedException { Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1)); }

    static void v(Z a) {
        Thread t = new Thread(() -> {
            try {
                while (z == null) a.a();
            } catch (InterruptedException | RuntimeException e) {
                z = e.toString();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long a = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        u();
        System.out.println("READY");
        while (z == null && System.currentTimeMillis() < a) Thread.sleep(50);
        System.out.println(z == null ? "DONE " + y.get() : z);
        System.exit(z == null ? 0 : 1);
    }
}
