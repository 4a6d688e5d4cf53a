// @lock [I#a
// @type PRODUCER-CONSUMER capacity=8
// @role put Ml$a.a
// @role take Ml$a.b

// @lock Ml$b
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Ml$b.a
// @role write-lock Ml$b.b
// @role read-unlock Ml$b.c
// @role write-unlock Ml$b.c

// @lock Ml$c
// @type LATCH count=1
// @role count-down Ml$c.a
// @role await Ml$c.b

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** A heap of eight numbers, smallest first; readers and writers with one way out; a value made by somebody else. Shrunk. */
public final class Ml {
    static final class a {
        private final int[] a = new int[9];
        private int b;

        void a(int c) throws InterruptedException {
            synchronized (a) {
                while (b == 8) {
                    a.wait();
                }
                int d = ++b;
                while (d > 1 && a[d >> 1] > c) {
                    a[d] = a[d >> 1];
                    d >>= 1;
                }
                a[d] = c;
                a.notifyAll();
            }
        }

        int b() throws InterruptedException {
            synchronized (a) {
                while (b == 0) {
                    a.wait();
                }
                int c = a[1];
                int d = a[b--];
                int e = 1;
                while (e << 1 <= b) {
                    int f = e << 1;
                    if (f < b && a[f + 1] < a[f]) {
                        f++;
                    }
                    if (a[f] >= d) {
                        break;
                    }
                    a[e] = a[f];
                    e = f;
                }
                a[e] = d;
                a.notifyAll();
                return c;
            }
        }
    }

    static final class b {
        private int a;
        private int b;
        private int c;

        synchronized void a() throws InterruptedException {
            while (c > 0 || b > 0) {
                wait();
            }
            a++;
        }

        synchronized void b() throws InterruptedException {
            b++;
            while (a > 0 || c > 0) {
                wait();
            }
            b--;
            c = 1;
        }

        synchronized void c() {
            if (c > 0) {
                c = 0;
            } else {
                a--;
            }
            notifyAll();
        }
    }

    static final class c {
        private IntSupplier a;

        synchronized void a(IntSupplier b) {
            if (a == null) {
                a = b;
                notifyAll();
            }
        }

        synchronized int b() throws InterruptedException {
            while (a == null) {
                wait();
            }
            return a.getAsInt();
        }
    }

    static volatile String d;
    static final AtomicInteger e = new AtomicInteger();
    static final AtomicInteger f = new AtomicInteger();

    interface g {
        void a(ThreadLocalRandom b) throws InterruptedException;
    }

    static void h(int i, g j) {
        for (int k = 0; k < i; k++) {
            Thread l = new Thread(() -> {
                try {
                    while (d == null) {
                        j.a(ThreadLocalRandom.current());
                    }
                } catch (InterruptedException m) {
                    d = "i";
                }
            });
            l.setDaemon(true);
            l.start();
        }
    }

    public static void main(String[] n) throws Exception {
        a o = new a();
        b p = new b();
        Queue<c> q = new ConcurrentLinkedQueue<>();
        h(3, r -> {
            for (int s = r.nextInt(1, 7); s > 0; s--) {
                o.a(r.nextInt(1000));
            }
            Thread.sleep(r.nextInt(1, 9));
        });
        h(2, r -> {
            int s = o.b();
            if (s < 0 || s > 999) {
                d = "h";
            }
            f.incrementAndGet();
            Thread.sleep(r.nextInt(0, 4));
        });
        h(4, r -> {
            if (r.nextInt(4) == 0) {
                p.b();
                if (e.incrementAndGet() != 1) {
                    d = "w";
                }
                Thread.sleep(r.nextInt(1, 4));
                e.decrementAndGet();
            } else {
                p.a();
                if (e.get() != 0) {
                    d = "r";
                }
                Thread.sleep(r.nextInt(1, 4));
            }
            p.c();
            Thread.sleep(r.nextInt(0, 5));
        });
        h(2, r -> {
            c s = new c();
            q.add(s);
            if (s.b() != 42) {
                d = "v";
            }
        });
        h(2, r -> {
            c s = q.poll();
            Thread.sleep(r.nextInt(1, 6));
            if (s != null) {
                s.a(() -> 42);
            }
        });
        System.out.println("READY");
        Thread.sleep(1000L * (n.length > 0 ? Integer.parseInt(n[0]) : 600));
        if (d != null) {
            System.out.println(d);
            System.exit(1);
        }
        System.out.println("DONE " + f);
    }
}
