// @lock java.lang.Object#a
// @type MUTEX
// @role enter Xe$a.a
// @role enter Xe$b.b
// @role enter Xe$c.b
//
// @lock Xe$d
// @type LATCH count=4
// @role count-down Xe$d.a
// @role await Xe$d.b
//
// @lock Xe$e
// @type SEMAPHORE form=rate-limiter
// @role acquire Xe$e.b
// @role release Xe$e.a

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A translation office: texts in four parts, two ledgers that share a guard, and a drip of characters from a paid service. */
public class Xe {
    abstract static class a {
        protected final Object a;
        protected long b;

        a(Object a) {
            this.a = a;
        }

        long a() {
            synchronized (a) {
                return b;
            }
        }

        abstract void b(long x) throws InterruptedException;
    }

    static class b extends a {
        b(Object a) {
            super(a);
        }

        @Override
        void b(long x) throws InterruptedException {
            synchronized (a) {
                long y = b;
                Thread.sleep(1);
                b = y + x;
            }
        }
    }

    static class c extends a {
        private final List<Long> c = new ArrayList<>();

        c(Object a) {
            super(a);
        }

        @Override
        void b(long x) throws InterruptedException {
            synchronized (a) {
                c.add(x);
                if (c.size() > 8) {
                    Thread.sleep(2);
                    for (long y : c) {
                        b += y;
                    }
                    c.clear();
                }
            }
        }
    }

    static class d {
        private int a = 0xf;
        final AtomicLong b = new AtomicLong();

        synchronized void a(int i) {
            int x = a & ~(1 << i);
            if (x == a) {
                return;
            }
            a = x;
            if (x == 0) {
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
        private int a;
        private final int b;

        e(int b) {
            this.b = b;
        }

        void a(int n) {
            synchronized (this) {
                a = Math.min(b, a + n);
                notifyAll();
            }
        }

        void b() throws InterruptedException {
            synchronized (this) {
                while (a < 1) {
                    wait();
                }
                a -= 1;
            }
        }
    }

    static class f extends Thread {
        private final int a;
        private final LinkedTransferQueue<d> b = new LinkedTransferQueue<>();
        private static final f[] C = new f[9];
        private static final Object D = new Object();
        private static final a E = new b(D);
        private static final a F = new c(D);
        private static final e G = new e(12);
        static final AtomicLong H = new AtomicLong();
        static volatile String I;
        static final AtomicLong J = new AtomicLong(12);

        f(int a) {
            this.a = a;
            C[a] = this;
            setDaemon(true);
        }

        @Override
        public void run() {
            Random r = new Random(a);
            try {
                while (I == null) {
                    if (a < 4) {
                        d x = b.poll();
                        if (x != null) {
                            x.b.incrementAndGet();
                            x.a(a);
                            E.b(1);
                        }
                        Thread.sleep(1 + r.nextInt(5));
                    } else if (a < 6) {
                        d x = new d();
                        for (int i = 0; i < 4; i++) {
                            C[i].b.add(x);
                        }
                        x.b();
                        if (x.b.get() != 4) {
                            I = "part missing";
                        }
                        H.incrementAndGet();
                    } else if (a < 8) {
                        G.b();
                        if (J.decrementAndGet() < 0) {
                            I = "more than paid for";
                        }
                        F.b(1);
                        E.b(2);
                        H.incrementAndGet();
                        if (F.a() > H.get() + 99 || E.a() < 0) {
                            I = "ledger";
                        }
                    } else {
                        J.addAndGet(2);
                        G.a(2);
                        Thread.sleep(10);
                    }
                }
            } catch (InterruptedException x) {
                I = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        f[] t = new f[9];
        for (int i = 0; i < t.length; i++) {
            t[i] = new f(i);
        }
        for (f x : t) {
            x.start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 25 && f.I == null; i++) {
            Thread.sleep(40);
        }
        System.out.println(f.I == null ? "DONE " + f.H : f.I);
        System.exit(f.I == null ? 0 : 1);
    }
}
