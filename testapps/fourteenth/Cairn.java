// Short-lived workers whose last act is to say so on an object of their own, and a backlog swapped out whole; obfuscated.
// @lock Cairn$a
// @type JOIN
// @role join Cairn$a.b
// @lock Cairn$c
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Cairn$c.a
// @role take Cairn$c.b
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Cairn {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    enum b { a, b, c }

    static final class a implements Runnable {
        private b a = Cairn.b.a;
        private int b;

        void a() {
            Thread c = new Thread(this);
            c.setDaemon(true);
            c.start();
        }

        @Override
        public void run() {
            Cairn.b d = Cairn.b.c;
            try {
                for (int c = 0; c < 4; c++) {
                    zn(1, 3);
                    b += 5;
                }
                d = Cairn.b.b;
            } catch (InterruptedException e) {
                b = -1;
            } finally {
                synchronized (this) {
                    a = d;
                    notifyAll();
                }
            }
        }

        synchronized int b() throws InterruptedException {
            while (a == Cairn.b.a) {
                wait();
            }
            return a == Cairn.b.b ? b : -1;
        }
    }

    static final class c {
        private List<a> a = new ArrayList<>();

        synchronized void a(a b) {
            a.add(b);
            if (a.size() == 1) {
                notify();
            }
        }

        synchronized List<a> b() throws InterruptedException {
            while (a.isEmpty()) {
                wait();
            }
            List<a> b = a;
            a = new ArrayList<>();
            return b;
        }
    }

    static final c d = new c();

    static void e() throws InterruptedException {
        zn(5, 14);
        a f = new a();
        f.a();
        d.a(f);
    }

    static void f() throws InterruptedException {
        for (a g : d.b()) {
            if (g.b() != 20) {
                zx = "unfinished";
            }
            zy.incrementAndGet();
        }
    }

    public static void main(String[] q) throws InterruptedException {
        zz(2, Cairn::e);
        zz(3, Cairn::f);
        zw(q);
    }

    interface z {
        void a() throws InterruptedException;
    }

    static void zz(int n, z s) {
        for (int i = 0; i < n; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        s.a();
                    }
                } catch (InterruptedException e) {
                    zx = "interrupted";
                } catch (RuntimeException e) {
                    zx = e.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    static void zn(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void zw(String[] q) throws InterruptedException {
        System.out.println("READY");
        long e = System.currentTimeMillis() + (q.length > 0 ? Integer.parseInt(q[0]) : 600) * 1000L;
        while (zx == null && System.currentTimeMillis() < e) {
            Thread.sleep(20);
        }
        if (zx != null) {
            System.out.println(zx);
            System.exit(1);
        }
        System.out.println("DONE " + zy.get());
    }
}
