// @lock ShelfStart$d
// @type LATCH count=4
// @role count-down ShelfStart$d.b
// @role await ShelfStart$d.a
//
// @lock ShelfStart$e
// @type LATCH count=1
// @role count-down ShelfStart$e.b
// @role await ShelfStart$e.a
//
// @lock java.lang.Class#z
// @type MUTEX
// @role enter ShelfStart$f.z
// @role enter ShelfStart$f.y
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A subrack restarted again and again: four cards wait for the load to be chosen, controller and display for all four cards to report. */
public class ShelfStart {
    static volatile boolean g;
    static volatile String h;
    static final AtomicLong i = new AtomicLong();

    static final class d {
        private int a = 4;

        synchronized boolean a(long l) throws InterruptedException {
            long e = System.currentTimeMillis() + l;
            while (a != 0) {
                long r = e - System.currentTimeMillis();
                if (r <= 0) return false;
                wait(r);
            }
            return true;
        }

        synchronized void b() {
            if (a > 0 && --a == 0) notifyAll();
        }
    }

    static final class e {
        private String a;
        private final Object b = this;

        String a() throws InterruptedException {
            synchronized (b) {
                while (a == null) b.wait();
            }
            return a;
        }

        void b(String s) {
            synchronized (b) {
                a = s;
                b.notifyAll();
            }
        }
    }

    static final class f {
        private static int a;

        static synchronized void z() { a++; }

        static synchronized int y() { return a; }
    }

    /** One restart; threads take part in the newest they have not seen. */
    static final class j {
        final d a = new d();
        final e b = new e();
        final int c;
        final AtomicInteger d = new AtomicInteger();
        j(int c) { this.c = c; }
    }

    static volatile j k = new j(1);

    static void a() throws InterruptedException {
        for (;;) {
            j m = k;
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 9));
            m.b.b("load-" + m.c);
            if (!m.a.a(10000)) h = "a card did not report";
            if (m.d.get() != 4) h = "reported without having started";
            i.incrementAndGet();
            if (m.c % 40 == 0) f.z();
            k = new j(m.c + 1);
            if (g) return;
        }
    }

    static void b() throws InterruptedException {
        int n = 0;
        while (!g) {
            j m = k;
            if (m.c == n) {
                Thread.sleep(1);
                continue;
            }
            n = m.c;
            if (!m.b.a().equals("load-" + n)) h = "wrong load";
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
            m.d.incrementAndGet();
            m.a.b();
        }
    }

    static void c() throws InterruptedException {
        while (!g) {
            if (!k.a.a(10000)) h = "display saw no shelf";
            Thread.sleep(2);
            if (ThreadLocalRandom.current().nextInt(50) == 0 && f.y() < 0) h = "count lost";
        }
    }

    interface l { void a() throws InterruptedException; }

    static void m(l q) {
        Thread t = new Thread(() -> {
            try { q.a(); } catch (InterruptedException x) { h = "interrupted"; }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int n = 0; n < 4; n++) m(ShelfStart::b);
        m(ShelfStart::a);
        m(ShelfStart::c);
        System.out.println("READY");
        for (long t = System.currentTimeMillis() + s * 1000L; System.currentTimeMillis() < t && h == null;) Thread.sleep(50);
        g = true;
        System.out.println(h == null ? "DONE " + i : h);
        System.exit(h == null ? 0 : 1);
    }
}
