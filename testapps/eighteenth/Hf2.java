// @lock Hf2$a
// @type SEMAPHORE
// @role acquire Hf2$a.a
// @role release Hf2$a.b
// @lock Hf2$b
// @type BARRIER parties=3
// @role arrive Hf2$b.a

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Building water: at most two of one kind and one of the other are let in, they meet, bond and leave. */
public class Hf2 {
    static volatile String e;
    static final AtomicLong f = new AtomicLong();
    static final AtomicInteger g = new AtomicInteger();
    static final AtomicInteger h = new AtomicInteger();

    static class a {
        private int a;
        private final int b;

        a(int b) {
            this.b = b;
        }

        void a() throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    if (a < b) {
                        a++;
                        return;
                    }
                    wait();
                }
            }
        }

        void b() {
            synchronized (this) {
                if (a-- == b) {
                    notify();
                }
                if (a < 0) {
                    e = "too many released";
                }
            }
        }
    }

    static class c {
        boolean a;
    }

    static class b {
        private int a = 3;
        private c b = new c();

        int a() throws InterruptedException {
            synchronized (this) {
                c c = b;
                int i = --a;
                if (i == 0) {
                    c.a = true;
                    a = 3;
                    b = new c();
                    notifyAll();
                } else {
                    while (!c.a) {
                        wait();
                    }
                }
                return i;
            }
        }
    }

    static class d extends Thread {
        private final a a;
        private final b b;
        private final b c;
        private final AtomicInteger d;
        private final int i;

        d(a a, b b, b c, AtomicInteger d, int i) {
            this.a = a;
            this.b = b;
            this.c = c;
            this.d = d;
            this.i = i;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    a.a();
                    d.incrementAndGet();
                    b.a();
                    if (g.get() != 2 || h.get() != 1) {
                        e = "H" + g + "O" + h;
                    }
                    Thread.sleep(2);
                    if (c.a() == 0) {
                        f.incrementAndGet();
                    }
                    d.decrementAndGet();
                    a.b();
                    Thread.sleep(i);
                }
            } catch (InterruptedException x) {
                e = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a a = new a(2);
        a o = new a(1);
        b b = new b();
        b c = new b();
        for (int i = 0; i < 8; i++) {
            new d(i < 5 ? a : o, b, c, i < 5 ? g : h, 2 + i % 3).start();
        }
        System.out.println("READY");
        long t = System.nanoTime() + s * 1000000000L;
        while (System.nanoTime() < t && e == null) {
            Thread.sleep(50);
        }
        if (e != null) {
            System.out.println(e);
            System.exit(1);
        }
        System.out.println("DONE " + f);
        System.exit(0);
    }
}
