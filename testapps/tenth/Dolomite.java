// @lock Dolomite$a
// @type LATCH count=3
// @role count-down Dolomite$a.b
// @role await Dolomite$a.a
//
// @lock Dolomite$b
// @type LATCH count=1
// @role count-down Dolomite$b.a
// @role await Dolomite$b.b

import java.util.Arrays;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Page loads that wait until three named parts are there, and lookups answered once through a promise. Obfuscated. */
public final class Dolomite {
    static final class a {
        private final Set<String> a = new HashSet<>(Arrays.asList("css", "html", "js"));
        private long b;

        synchronized long a() throws InterruptedException {
            while (!a.isEmpty()) {
                wait();
            }
            return b;
        }

        synchronized void b(String c, int d) {
            if (a.remove(c)) {
                b += d;
                if (a.isEmpty()) {
                    notifyAll();
                }
            }
        }
    }

    static final class b {
        private static final Object a = new Object();
        private Object b = a;

        void a(Object c) {
            synchronized (this) {
                if (b == a) {
                    b = c;
                    notifyAll();
                }
            }
        }

        synchronized Object b(long c) throws InterruptedException {
            long d = System.currentTimeMillis() + c;
            while (b == a) {
                long e = d - System.currentTimeMillis();
                if (e <= 0) {
                    return null;
                }
                wait(e);
            }
            return b;
        }
    }

    private static final Queue<Runnable> c = new ConcurrentLinkedQueue<>();
    private static final AtomicLong d = new AtomicLong();
    private static volatile String e;

    private static void f() throws InterruptedException {
        Runnable g = c.poll();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        if (g != null) {
            g.run();
        }
    }

    private static void g() throws InterruptedException {
        a h = new a();
        c.add(() -> h.b("css", 1));
        c.add(() -> h.b("html", 10));
        c.add(() -> h.b("js", 100));
        if (h.a() != 111) {
            e = "a part was missing";
        }
        d.incrementAndGet();
    }

    private static void h() throws InterruptedException {
        b i = new b();
        long j = d.get();
        c.add(() -> i.a(j));
        Object k = i.b(20_000);
        if (k == null || (Long) k != j) {
            e = "a wrong answer, or none";
        }
        d.incrementAndGet();
    }

    interface i {
        void a() throws InterruptedException;
    }

    private static void j(i k) {
        Thread l = new Thread(() -> {
            try {
                while (e == null) {
                    k.a();
                }
            } catch (InterruptedException m) {
                e = "interrupted";
            }
        });
        l.setDaemon(true);
        l.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long k = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int l = 0; l < 6; l++) {
            j(Dolomite::f);
        }
        for (int l = 0; l < 3; l++) {
            j(Dolomite::g);
            j(Dolomite::h);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(k * 1000);
        if (e != null) {
            throw new IllegalStateException(e);
        }
        System.out.println("DONE " + d);
    }
}
