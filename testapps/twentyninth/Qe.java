// @lock java.util.HashSet#a
// @type LATCH count=2
// @role count-down Qe$a.a
// @role await Qe$a.b
// @lock Qe$c
// @type JOIN
// @role join Qe$c.b

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Qe {
    static class a {
        private final Set<String> a = new HashSet<>(Arrays.asList("l", "r"));

        void a(String b) {
            synchronized (a) {
                if (a.remove(b) && a.isEmpty()) {
                    a.notifyAll();
                }
            }
        }

        void b() throws InterruptedException {
            synchronized (a) {
                while (!a.isEmpty()) {
                    a.wait();
                }
            }
        }
    }

    enum e {
        a, b, c
    }

    static class c {
        private e a = e.a;
        private Throwable b;

        synchronized void a(Throwable d) {
            b = d;
            a = d == null ? e.b : e.c;
            notifyAll();
        }

        synchronized Throwable b() throws InterruptedException {
            while (a == e.a) {
                wait();
            }
            return b;
        }
    }

    static class d implements Runnable {
        final c a = new c();
        private final String b;
        private final a c;
        int d;
        int e;

        d(String f, a g) {
            b = f;
            c = g;
        }

        private void a() throws InterruptedException {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
            d = 1;
            c.a(b);
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
            e = d + 1;
        }

        @Override
        public void run() {
            Throwable f = null;
            try {
                a();
            } catch (Throwable g) {
                f = g;
            } finally {
                a.a(f);
            }
        }
    }

    private static final AtomicLong a = new AtomicLong();
    private static volatile String b;

    private static void a(int f) throws InterruptedException {
        a g = new a();
        d h = new d("l", g);
        d i = new d("r", g);
        Thread j = new Thread(h);
        Thread k = new Thread(i);
        j.setDaemon(true);
        k.setDaemon(true);
        j.start();
        k.start();
        g.b();
        if (h.d + i.d != 2) {
            b = "s";
        }
        if (h.a.b() != null || i.a.b() != null || h.e + i.e != 4) {
            b = "t";
        }
        a.incrementAndGet();
        Thread.sleep(f + ThreadLocalRandom.current().nextInt(9));
    }

    public static void main(String[] f) throws InterruptedException {
        long g = f.length > 0 ? Long.parseLong(f[0]) : 600;
        for (int h = 0; h < 3; h++) {
            int i = h;
            Thread j = new Thread(() -> {
                try {
                    while (b == null) {
                        a(i);
                    }
                } catch (InterruptedException k) {
                    b = "u";
                }
            });
            j.setDaemon(true);
            j.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (b != null) {
            System.out.println(b);
            System.exit(1);
        }
        System.out.println("DONE " + a);
    }
}
