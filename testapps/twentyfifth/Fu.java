// Contracts edited under a re-entrant lock split over two classes; a settings map that is touched rarely. (obfuscated)
// @lock Fu$b
// @type LOCK reentrant=true
// @role lock Fu$a.a
// @role lock Fu$a.b
// @role unlock Fu$a.c
//
// @lock Fu$c
// @type MUTEX
// @role enter Fu$c.a
// @role enter Fu$c.b
// @quiet
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

public class Fu {
    static final AtomicLong a = new AtomicLong();

    abstract static class a {
        abstract boolean d();
        abstract void e();
        abstract boolean f();

        final synchronized void a() throws InterruptedException {
            while (!d()) wait();
            e();
        }

        final synchronized boolean b(long g) throws InterruptedException {
            long h = System.currentTimeMillis() + g;
            while (!d()) {
                long i = h - System.currentTimeMillis();
                if (i <= 0) return false;
                wait(i);
            }
            e();
            return true;
        }

        final synchronized void c() {
            if (f()) notify();
        }
    }

    static final class b extends a {
        private long a = -1;
        private int b;

        @Override boolean d() {
            return a == -1 || a == Thread.currentThread().getId();
        }

        @Override void e() {
            a = Thread.currentThread().getId();
            b++;
        }

        @Override boolean f() {
            if (a != Thread.currentThread().getId()) throw new IllegalStateException();
            if (--b > 0) return false;
            a = -1;
            return true;
        }
    }

    static final class c {
        private final Map<String, Integer> a = new HashMap<>();

        synchronized int a(String b) {
            return a.getOrDefault(b, 0);
        }

        synchronized void b(String b, int c) {
            a.put(b, c);
        }
    }

    static final class d {
        final b a = new b();
        private int b;
        private int c;

        void a() throws InterruptedException {
            a.a();
            try {
                b++;
                b();
            } finally {
                a.c();
            }
        }

        private void b() throws InterruptedException {
            a.a();
            try {
                Thread.sleep(1);
                c++;
                if (b != c) Fu.a("b");
            } finally {
                a.c();
            }
        }

        boolean c() throws InterruptedException {
            if (!a.b(5)) return false;
            try {
                if (b != c) Fu.a("c");
                Thread.sleep(1);
                return true;
            } finally {
                a.c();
            }
        }
    }

    static void a(String b) {
        System.out.println("BROKEN " + b);
        System.exit(1);
    }

    static void a(d b, c c, int e) {
        try {
            for (int f = 0; ; f++) {
                if (e == 0) b.c(); else b.a();
                if (f % 50 == 0) c.b("k" + e, f);
                if (f % 50 == 25 && c.a("k" + e) != f - 25) a("a");
                a.incrementAndGet();
                Thread.sleep(2 + e % 2);
            }
        } catch (InterruptedException f) {
            a("i");
        }
    }

    public static void main(String[] b) throws Exception {
        d d = new d();
        c c = new c();
        for (int e = 0; e < 5; e++) {
            int f = e;
            Thread g = new Thread(() -> a(d, c, f));
            g.setDaemon(true);
            g.start();
        }
        System.out.println("READY");
        Thread.sleep((b.length > 0 ? Integer.parseInt(b[0]) : 600) * 1000L);
        System.out.println("DONE " + a.get());
    }
}
