// Order lines through a linked queue of five, and a manual-reset event that lets pickers run or stops them. (obfuscated)
// @lock Dk$b
// @type PRODUCER-CONSUMER capacity=5
// @role put Dk$b.a
// @role put Dk$b.b
// @role take Dk$b.c
//
// @lock Dk$c
// @type CONDITION form=resettable-event
// @role wait Dk$c.a
// @role notify Dk$c.b
import java.util.concurrent.atomic.AtomicLong;

public class Dk {
    static final AtomicLong a = new AtomicLong();

    static final class a {
        final int a;
        a b;

        a(int a) {
            this.a = a;
        }
    }

    static final class b {
        private a a;
        private a b;
        private int c;
        private final int d;

        b(int d) {
            this.d = d;
        }

        synchronized void a(int e) throws InterruptedException {
            while (c >= d) wait();
            d(e);
        }

        synchronized boolean b(int e, long f) throws InterruptedException {
            long g = System.currentTimeMillis() + f;
            while (c >= d) {
                f = g - System.currentTimeMillis();
                if (f <= 0) return false;
                wait(f);
            }
            d(e);
            return true;
        }

        private void d(int e) {
            a f = new a(e);
            if (b == null) a = f; else b.b = f;
            b = f;
            c++;
            notifyAll();
        }

        synchronized int c() throws InterruptedException {
            while (a == null) wait();
            a e = a;
            a = e.b;
            if (a == null) b = null;
            if (--c < 0) Dk.a("c");
            notifyAll();
            return e.a;
        }
    }

    static final class c {
        private boolean a;
        private volatile int b;

        int a() throws InterruptedException {
            synchronized (this) {
                while (!a) wait();
                return b;
            }
        }

        void b() {
            synchronized (this) {
                a = true;
                b++;
                notifyAll();
            }
        }

        void c() {
            synchronized (this) {
                a = false;
            }
        }
    }

    static void a(String a) {
        System.out.println("BROKEN " + a);
        System.exit(1);
    }

    interface d {
        void a() throws InterruptedException;
    }

    static void a(d a) {
        Thread b = new Thread() {
            @Override public void run() {
                try {
                    for (;;) a.a();
                } catch (InterruptedException c) {
                    Dk.a("i");
                }
            }
        };
        b.setDaemon(true);
        b.start();
    }

    public static void main(String[] c) throws Exception {
        b d = new b(5);
        c e = new c();
        AtomicLong f = new AtomicLong(), g = new AtomicLong();
        for (int h = 0; h < 2; h++) {
            boolean i = h == 0;
            a(() -> {
                for (int j = 1; j < 14; j++) {
                    if (i) {
                        f.addAndGet(j);
                        d.a(j);
                    } else if (d.b(j, 6)) {
                        f.addAndGet(j);
                    }
                }
                Thread.sleep(19);
            });
        }
        for (int h = 0; h < 2; h++) a(() -> {
            int i = d.c();
            if (i < 1 || i > 13) a("v");
            g.addAndGet(i);
            Thread.sleep(1);
            a.incrementAndGet();
        });
        for (int h = 0; h < 3; h++) {
            int[] i = new int[1];
            a(() -> {
                int j = e.a();
                if (j < i[0]) a("e");
                i[0] = j;
                Thread.sleep(2);
                a.incrementAndGet();
            });
        }
        a(() -> {
            e.b();
            Thread.sleep(3);
            e.c();
            Thread.sleep(6);
        });
        System.out.println("READY");
        Thread.sleep((c.length > 0 ? Integer.parseInt(c[0]) : 600) * 1000L);
        if (Math.abs(f.get() - g.get()) > 300) a("s");
        System.out.println("DONE " + a.get());
    }
}
