// @lock b
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock b.a
// @role read-unlock b.b
// @role write-lock b.c
// @role write-unlock b.d
//
// @lock java.lang.Object#e
// @type DELAY
// @role delay Kx.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

final class b {
    private int a;
    private int b;
    private boolean c;

    synchronized void a() throws InterruptedException {
        while (c || b > 0) {
            wait();
        }
        a++;
    }

    synchronized void b() {
        if (--a == 0) {
            notifyAll();
        }
    }

    synchronized void c() throws InterruptedException {
        b++;
        try {
            while (c || a > 0) {
                wait();
            }
            c = true;
        } finally {
            b--;
        }
    }

    synchronized void d() {
        c = false;
        notifyAll();
    }
}

/** Tariffs of a toll road: gantries look prices up, an office changes entry and exit price together; pauses by timed wait. */
public class Kx implements Runnable {
    private static final b A = new b();
    private static int B = 10;
    private static int C = 20;
    private static volatile RuntimeException D;
    private static final AtomicLong E = new AtomicLong();
    private final boolean a;
    private final Object b = new Object();

    Kx(boolean a) {
        this.a = a;
    }

    private void e(long ms) throws InterruptedException {
        long end = System.nanoTime() + ms * 1_000_000L;
        synchronized (b) {
            long left = ms;
            do {
                b.wait(left);
                left = (end - System.nanoTime()) / 1_000_000L;
            } while (left > 0);
        }
    }

    private void f() throws InterruptedException {
        A.a();
        try {
            int x = B;
            Thread.sleep(2);
            if (C != x * 2) {
                throw new IllegalStateException("half an edit " + x + " " + C);
            }
        } finally {
            A.b();
        }
    }

    private void g() throws InterruptedException {
        A.c();
        try {
            B = ThreadLocalRandom.current().nextInt(1000);
            Thread.sleep(1);
            C = B * 2;
        } finally {
            A.d();
        }
    }

    @Override
    public void run() {
        try {
            while (!Thread.interrupted()) {
                if (a) {
                    g();
                    e(ThreadLocalRandom.current().nextInt(8, 16));
                } else {
                    f();
                    e(ThreadLocalRandom.current().nextInt(3, 9));
                }
                E.incrementAndGet();
            }
        } catch (InterruptedException x) {
            return;
        } catch (RuntimeException x) {
            D = x;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Thread[] t = new Thread[7];
        for (int i = 0; i < t.length; i++) {
            t[i] = new Thread(new Kx(i < 2));
            t[i].start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + s * 1000L;
        while (D == null && System.currentTimeMillis() < end) {
            Thread.sleep(25);
        }
        for (Thread x : t) {
            x.interrupt();
        }
        for (Thread x : t) {
            x.join();
        }
        System.out.println(D == null ? "DONE " + E : "broken: " + D.getMessage());
        System.exit(D == null ? 0 : 1);
    }
}
