// @lock Px$a
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put Px$a.b
// @role take Px$a.a

// @lock Px$c
// @type LATCH count=3
// @role count-down Px$c.a
// @role await Px$c.b

// @lock Px$e
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire Px$e.a
// @role release Px$e.a

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A slot, three bits, and three things lent by one method that both gives and takes back. Obfuscated. */
public class Px {
    static class a {
        private Object a;

        synchronized Object a() throws InterruptedException {
            Object b;
            while ((b = a) == null) {
                wait();
            }
            a = null;
            notifyAll();
            return b;
        }

        synchronized void b(Object b) throws InterruptedException {
            while (a != null) {
                wait();
            }
            a = b;
            notifyAll();
        }
    }

    static class c {
        private int a = 7;

        synchronized void a(int b) {
            a &= ~(1 << b);
            if (a == 0) {
                notifyAll();
            }
        }

        synchronized void b() throws InterruptedException {
            while (a != 0) {
                wait();
            }
        }
    }

    static class e {
        private final LinkedList<int[]> b = new LinkedList<int[]>();

        e() {
            for (int c = 0; c < 3; c++) {
                b.add(new int[1]);
            }
        }

        synchronized int[] a() throws InterruptedException {
            while (b.size() == 0) {
                wait();
            }
            return b.removeLast();
        }

        synchronized void a(int[] c) {
            b.addLast(c);
            notify();
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
        e i = new e();
        for (int j = 0; j < 3; j++) {
            int m = j;
            l("t" + j, () -> {
                c n = new c();
                for (int q = 0; q < 3; q++) {
                    h.b(new Object[] {n, q});
                }
                n.b();
                p(1, 5);
            });
            l("u" + j, () -> {
                Object[] n = (Object[]) h.a();
                int[] q = i.a();
                k(++q[0] == 1);
                p(1, 4);
                q[0]--;
                i.a(q);
                ((c) n[0]).a((Integer) n[1]);
            });
        }
        l("v", () -> {
            int[] q = i.a();
            p(3, 7);
            i.a(q);
            p(1, 3);
        });
        f(g);
    }
}
