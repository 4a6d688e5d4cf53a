// @lock Vf$a
// @type JOIN
// @role join Vf$a.c
//
// @lock Vf$c
// @type SEMAPHORE permits=3
// @role acquire Vf$c.a
// @role release Vf$c.b

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Errands on a thread each that end by telling so, and three places for seven guests. Obfuscated. */
public class Vf {
    static volatile String u;
    static final AtomicLong v = new AtomicLong();

    interface S {
        void run() throws InterruptedException;
    }

    static void y(boolean a, String b) {
        if (!a && u == null) {
            u = b;
        }
    }

    static void z(int a, int b) throws InterruptedException {
        Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1));
    }

    static void x(String a, S s) {
        Thread t = new Thread(() -> {
            try {
                while (u == null) {
                    s.run();
                    v.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                y(false, a + ": " + e);
            }
        }, a);
        t.setDaemon(true);
        t.start();
    }

    static void w(String[] a) throws InterruptedException {
        System.out.println("READY");
        long b = System.nanoTime() + (a.length > 0 ? Long.parseLong(a[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < b && u == null) {
            Thread.sleep(40);
        }
        y(v.get() > 0, "nothing was done");
        if (u != null) {
            System.out.println("BROKEN " + u);
            System.exit(1);
        }
        System.out.println("DONE " + v.get());
        System.exit(0);
    }
    static final class a implements Runnable {
        private boolean a;
        long b;

        @Override
        public void run() {
            try {
                z(2, 9);
                b = 11;
            } catch (InterruptedException c) {
                y(false, "b");
            } finally {
                synchronized (this) {
                    a = true;
                    notifyAll();
                }
            }
        }

        synchronized long c() throws InterruptedException {
            while (!a) {
                wait(200);
            }
            return b;
        }
    }

    static final class c {
        private final Set<Thread> a = new LinkedHashSet<>();
        private final int b;

        c(int d) {
            b = d;
        }

        private boolean c() {
            return a.size() < b;
        }

        synchronized void a() throws InterruptedException {
            while (!c()) {
                wait();
            }
            a.add(Thread.currentThread());
        }

        synchronized void b() {
            if (!a.remove(Thread.currentThread())) {
                throw new IllegalStateException();
            }
            notify();
        }
    }

    public static void main(String[] a) throws InterruptedException {
        for (int b = 0; b < 2; b++) {
            x("a" + b, () -> {
                List<a> c = new ArrayList<>();
                for (int d = 0; d < 2; d++) {
                    a e = new a();
                    c.add(e);
                    Thread f = new Thread(e);
                    f.setDaemon(true);
                    f.start();
                }
                for (a e : c) {
                    y(e.c() == 11, "c");
                }
                z(2, 6);
            });
        }
        c b = new c(3);
        AtomicInteger d = new AtomicInteger();
        for (int e = 0; e < 7; e++) {
            x("b" + e, () -> {
                b.a();
                y(d.incrementAndGet() <= 3, "d");
                z(2, 7);
                d.decrementAndGet();
                b.b();
                z(2, 6);
            });
        }
        w(a);
    }
}
