// @lock Oc$c
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Oc$c.a
// @role read-unlock Oc$c.b
// @role write-lock Oc$c.c
// @role write-unlock Oc$c.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Oc {
    enum a { A, B, C }

    static final class b {
        a a = Oc.a.A;
        int b;
    }

    static final class c {
        private final b e = new b();

        synchronized void a() throws InterruptedException {
            while (e.a == Oc.a.C) {
                wait();
            }
            e.a = Oc.a.B;
            e.b++;
        }

        synchronized void b() {
            if (--e.b == 0) {
                e.a = Oc.a.A;
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (e.a != Oc.a.A) {
                wait();
            }
            e.a = Oc.a.C;
        }

        synchronized void d() {
            e.a = Oc.a.A;
            notifyAll();
        }
    }

    private final c f = new c();
    private long g;
    private long h;
    private final AtomicLong i = new AtomicLong();
    private volatile boolean j;
    private volatile boolean k;

    void a(int l) {
        try {
            while (!j) {
                if (l < 2) {
                    f.c();
                    try {
                        g++;
                        Thread.sleep(1);
                        h++;
                    } finally {
                        f.d();
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                } else {
                    f.a();
                    try {
                        long m = g;
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                        if (m != h) {
                            k = true;
                        }
                    } finally {
                        f.b();
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
                }
                i.incrementAndGet();
            }
        } catch (InterruptedException n) {
            k = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Oc p = new Oc();
        Thread[] q = new Thread[6];
        for (int r = 0; r < q.length; r++) {
            int s = r;
            q[r] = new Thread(() -> p.a(s));
            q[r].setDaemon(true);
            q[r].start();
        }
        System.out.println("READY");
        Thread.sleep(o * 1000);
        p.j = true;
        for (Thread t : q) {
            t.join(5_000);
        }
        if (p.k || p.g != p.h) {
            throw new IllegalStateException(p.g + " " + p.h);
        }
        System.out.println("DONE " + p.i);
    }
}
