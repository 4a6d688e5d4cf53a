// @lock Dw$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Dw$a.a
// @role write-lock Dw$a.b
// @role read-unlock Dw$a.c
// @role write-unlock Dw$a.c

// @lock Dw$b
// @type LATCH count=2
// @role count-down Dw$b.a
// @role await Dw$b.b

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Price lists read and revised strictly in turn; an order is confirmed when stock and credit have both been looked at. Obfuscated. */
public final class Dw {
    static final class a {
        private int a;
        private int b;
        private int c;
        private boolean d;

        synchronized void a() throws InterruptedException {
            int e = a++;
            while (e != b || d) {
                wait();
            }
            b++;
            c++;
            notifyAll();
        }

        synchronized void b() throws InterruptedException {
            int e = a++;
            while (e != b || d || c > 0) {
                wait();
            }
            b++;
            d = true;
        }

        synchronized void c() {
            if (d) {
                d = false;
            } else {
                c--;
            }
            notifyAll();
        }
    }

    static final class b {
        private boolean a;
        private boolean b;
        final int c;

        b(int d) {
            c = d;
        }

        void a(boolean d) {
            synchronized (this) {
                if (d) {
                    a = true;
                } else {
                    b = true;
                }
                if (a && b) {
                    notifyAll();
                }
            }
        }

        void b() throws InterruptedException {
            synchronized (this) {
                while (!(a && b)) {
                    wait();
                }
            }
        }
    }

    private final a a = new a();
    private int b;
    private int c;
    private final ConcurrentLinkedQueue<b> d = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<b> e = new ConcurrentLinkedQueue<>();
    private final AtomicLong f = new AtomicLong();
    private volatile boolean g;

    private void a(boolean h) throws InterruptedException {
        b i = (h ? d : e).poll();
        if (i == null) {
            Thread.sleep(1);
            return;
        }
        a.a();
        try {
            int j = b;
            Thread.sleep(1);
            if (b != j || c != j) {
                g = true;
            }
        } finally {
            a.c();
        }
        i.a(h);
    }

    private void b() throws InterruptedException {
        b h = new b(ThreadLocalRandom.current().nextInt(100));
        d.add(h);
        e.add(h);
        h.b();
        f.incrementAndGet();
        Thread.sleep(h.c % 3);
    }

    private void c() throws InterruptedException {
        a.b();
        try {
            b++;
            Thread.sleep(2);
            c = b;
        } finally {
            a.c();
        }
        Thread.sleep(5);
    }

    private void a(int h) {
        try {
            while (!g) {
                switch (h) {
                    case 0:
                    case 1:
                        a(true);
                        break;
                    case 2:
                    case 3:
                        a(false);
                        break;
                    case 4:
                    case 5:
                        c();
                        break;
                    default:
                        b();
                }
            }
        } catch (InterruptedException i) {
            g = true;
        }
    }

    public static void main(String[] h) throws InterruptedException {
        long i = h.length > 0 ? Long.parseLong(h[0]) : 600;
        Dw j = new Dw();
        for (int k = 0; k < 9; k++) {
            int l = k;
            Thread m = new Thread(() -> j.a(l));
            m.setDaemon(true);
            m.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(i * 1000);
        if (j.g) {
            throw new IllegalStateException("half a price list");
        }
        System.out.println("DONE " + j.f);
    }
}
