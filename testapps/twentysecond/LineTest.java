// @lock LineTest$b
// @type JOIN
// @role join LineTest$b.a
//
// @lock LineTest$c
// @type SEMAPHORE permits=3
// @role acquire LineTest$c.a
// @role release LineTest$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Routine tests of subscriber lines, a thread each, with three test heads for all; who ordered a test awaits the object that the thread signals as it ends. */
public class LineTest {
    static volatile boolean a;
    static volatile String e;
    static final AtomicLong f = new AtomicLong();
    static final AtomicInteger g = new AtomicInteger();

    static final class b extends Thread {
        private final c a;
        private boolean b;
        private int c;

        b(c c) {
            a = c;
            setDaemon(true);
        }

        synchronized int a() throws InterruptedException {
            while (!b) wait(5000);
            return c;
        }

        private synchronized void b(int i) {
            c = i;
            b = true;
            notifyAll();
        }

        @Override public void run() {
            int r = 0;
            try {
                a.a();
                try {
                    if (g.incrementAndGet() > 3) e = "more tests than heads";
                    Thread.sleep(r = ThreadLocalRandom.current().nextInt(3, 10));
                    g.decrementAndGet();
                } finally {
                    a.b();
                }
            } catch (InterruptedException x) {
                e = "test interrupted";
            }
            b(r);
        }
    }

    static final class c {
        private final boolean[] a = new boolean[3];

        private boolean c() {
            for (boolean q : a) if (!q) return true;
            return false;
        }

        synchronized void a() throws InterruptedException {
            while (!c()) wait();
            for (int i = 0; i < a.length; i++) {
                if (!a[i]) {
                    a[i] = true;
                    return;
                }
            }
        }

        synchronized void b() {
            for (int i = a.length - 1; i >= 0; i--) {
                if (a[i]) {
                    a[i] = false;
                    notify();
                    return;
                }
            }
            e = "no head in use";
        }
    }

    static void h(c c) {
        try {
            while (!a) {
                b[] t = new b[3];
                for (int i = 0; i < 3; i++) (t[i] = new b(c)).start();
                for (b q : t) if (q.a() < 3) e = "result without test";
                f.addAndGet(3);
                Thread.sleep(2);
            }
        } catch (InterruptedException x) {
            e = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        c c = new c();
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(() -> h(c));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (long t = System.nanoTime(); System.nanoTime() - t < s * 1000000000L && e == null;) Thread.sleep(40);
        a = true;
        System.out.println(e == null ? "DONE " + f : e);
        System.exit(e == null ? 0 : 1);
    }
}
