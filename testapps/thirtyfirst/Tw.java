// @lock java.util.ArrayDeque
// @type SEMAPHORE permits=3
// @role acquire Tw$a.a
// @role release Tw$a.b

// @lock Tw$d
// @type JOIN
// @role join Tw$d.a

// @lock java.lang.Object#c
// @type MUTEX
// @role enter Tw.c

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Three at a time, in the order of coming, each asleep on an object of his own. Obfuscated. */
public class Tw {
    static class a {
        private int a = 3;
        private final ArrayDeque<boolean[]> b = new ArrayDeque<>();

        void a() throws InterruptedException {
            boolean[] c = null;
            synchronized (b) {
                if (a > 0 && b.isEmpty()) {
                    a--;
                } else {
                    b.add(c = new boolean[1]);
                }
            }
            if (c != null) {
                c(c);
            }
        }

        private void c(boolean[] d) throws InterruptedException {
            synchronized (d) {
                while (!d[0]) {
                    d.wait();
                }
            }
        }

        void b() {
            boolean[] c;
            synchronized (b) {
                c = b.poll();
                if (c == null) {
                    a++;
                    return;
                }
            }
            synchronized (c) {
                c[0] = true;
                c.notifyAll();
            }
        }
    }

    static class d implements Runnable {
        private final Object b = new Object();
        private volatile int c;
        private int e;

        public void run() {
            try {
                e = Tw.c(2);
            } catch (InterruptedException g) {
                e = 0;
            }
            synchronized (this) {
                c = 1;
                notifyAll();
            }
        }

        int a() throws InterruptedException {
            synchronized (this) {
                while (c == 0) {
                    wait();
                }
            }
            return e;
        }
    }

    private static final Object g = new Object();
    private static int h;

    static int c(int i) throws InterruptedException {
        synchronized (g) {
            h += i;
            Thread.sleep(1);
            h -= i;
            return h + i;
        }
    }

    private interface Zz {
        void z() throws Exception;
    }

    private static volatile Throwable x0;
    private static final AtomicLong x1 = new AtomicLong();

    private static void l(String z1, Zz z2) {
        Thread t = new Thread(() -> {
            try {
                while (x0 == null) {
                    z2.z();
                    x1.incrementAndGet();
                }
            } catch (Throwable e) {
                x0 = e;
            }
        }, z1);
        t.setDaemon(true);
        t.start();
    }

    private static void k(boolean z4) {
        if (!z4) {
            throw new IllegalStateException();
        }
    }

    private static void p(int z5, int z6) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(z5, z6));
    }

    private static void f(String[] z7) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (z7.length > 0 ? Long.parseLong(z7[0]) : 600));
        if (x0 != null) {
            x0.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + x1);
    }

    public static void main(String[] i) throws Exception {
        a j = new a();
        AtomicInteger m = new AtomicInteger();
        for (int n = 0; n < 6; n++) {
            l("t" + n, () -> {
                j.a();
                k(m.incrementAndGet() <= 3);
                d q = new d();
                Thread r = new Thread(q);
                r.setDaemon(true);
                r.start();
                k(q.a() == 2);
                p(1, 4);
                m.decrementAndGet();
                j.b();
            });
        }
        f(i);
    }
}
