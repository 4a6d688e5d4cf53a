// @lock Ra$b
// @type LOCK+CONDITION reentrant=false
// @role lock Ra$b.a
// @role unlock Ra$b.b
// @role wait Ra$b.c
// @role notify Ra$b.d
//
// @lock java.lang.Object#e
// @type MUTEX
// @role enter Ra.e

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A kiln shared by potters: it is held while it is loaded or emptied, and whoever finds it unfit steps back until told. */
public class Ra {
    static final class b {
        private Thread a;
        private long b;

        synchronized void a() throws InterruptedException {
            if (a == Thread.currentThread()) {
                throw new IllegalStateException("again");
            }
            while (a != null) {
                wait();
            }
            a = Thread.currentThread();
        }

        synchronized void b() {
            e();
            a = null;
            notifyAll();
        }

        synchronized void c() throws InterruptedException {
            e();
            long s = b;
            a = null;
            notifyAll();
            while (b == s || a != null) {
                wait();
            }
            a = Thread.currentThread();
        }

        synchronized void d() {
            e();
            b++;
            notifyAll();
        }

        private void e() {
            if (a != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
        }
    }

    private static final Object C = new Object();
    private static long D;
    private static volatile String E;
    private static final AtomicLong F = new AtomicLong();
    private final b a = new b();
    private final ArrayDeque<Integer> b = new ArrayDeque<>();
    private int c;

    private void a(int v) throws InterruptedException {
        a.a();
        try {
            while (c == 4) {
                a.c();
            }
            f();
            b.add(v);
            c++;
            a.d();
        } finally {
            a.b();
        }
    }

    private int b() throws InterruptedException {
        a.a();
        try {
            while (c == 0) {
                a.c();
            }
            f();
            c--;
            int v = b.remove();
            a.d();
            return v;
        } finally {
            a.b();
        }
    }

    private void f() throws InterruptedException {
        int n = c;
        Thread.sleep(1);
        if (n != c || n != b.size()) {
            E = "kiln touched by two";
        }
    }

    private static void e(int v) throws InterruptedException {
        synchronized (C) {
            long d = D;
            Thread.sleep(1);
            D = d + v;
            if (D < -1000000 || D - v != d) {
                E = "shelf miscounted";
            }
        }
        F.incrementAndGet();
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        Ra r = new Ra();
        for (int i = 0; i < 5; i++) {
            final boolean p = i % 2 == 0;
            Thread t = new Thread(() -> {
                try {
                    while (E == null) {
                        if (p) {
                            int v = ThreadLocalRandom.current().nextInt(5);
                            r.a(v);
                            e(v);
                            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                        } else {
                            e(-r.b());
                            e(0);
                            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                        }
                    }
                } catch (InterruptedException | RuntimeException x) {
                    E = x.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + n * 1_000_000_000L;
        while (E == null && System.nanoTime() < end) {
            Thread.sleep(33);
        }
        System.out.println(E == null ? "DONE " + F : E);
        System.exit(E == null ? 0 : 1);
    }
}
