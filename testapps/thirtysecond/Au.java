// @lock [Ljava.lang.Object;
// @type PRODUCER-CONSUMER capacity=10
// @role put Au$a.a
// @role take Au$a.b

// @lock Au$b
// @type BARRIER parties=2 form=exchanger
// @role arrive Au$b.a

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A shipped server's queue of ten on a ring with running numbers, and an exchange between two. Obfuscated. */
public final class Au {
    static final class a {
        private final Object[] a = new Object[10];
        private long b;
        private long c;

        void a(Object d) throws InterruptedException {
            synchronized (a) {
                while (b - c == a.length) {
                    a.wait();
                }
                a[(int) (b++ % a.length)] = d;
                a.notifyAll();
            }
        }

        Object b() throws InterruptedException {
            synchronized (a) {
                while (b == c) {
                    a.wait();
                }
                int d = (int) (c++ % a.length);
                Object e = a[d];
                a[d] = null;
                a.notifyAll();
                return e;
            }
        }
    }

    static final class b {
        private Object a;
        private Object b;
        private int c;

        Object a(Object d) throws InterruptedException {
            synchronized (this) {
                while (c == 2) {
                    wait();
                }
                Object e;
                if (c == 0) {
                    a = d;
                    c = 1;
                    while (c == 1) {
                        wait();
                    }
                    e = b;
                    a = null;
                    b = null;
                    c = 0;
                } else {
                    e = a;
                    b = d;
                    c = 2;
                }
                notifyAll();
                return e;
            }
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

    public static void main(String[] g) throws Exception {
        a h = new a();
        b i = new b();
        for (int j = 0; j < 3; j++) {
            l("t" + j, () -> {
                for (int m = 0; m < 7; m++) {
                    h.a("x");
                }
                p(4, 14);
            });
        }
        for (int j = 0; j < 2; j++) {
            Object m = "y" + j;
            l("u" + j, () -> {
                for (int n = 0; n < 4; n++) {
                    k(h.b() != null);
                }
                k(i.a(m) != m);
                p(1, 5);
            });
        }
        f(g);
    }
}
