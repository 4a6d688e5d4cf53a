// @lock Lm$b
// @type LATCH count=6
// @role await Lm$b.b
// @role count-down Lm$b.a

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Six parts of a model loaded side by side, a bit for each in a mask of what is still to come; obfuscated. */
public final class Lm {
    static final class b {
        private int a = 0x3f;

        void a(int i) {
            synchronized (this) {
                if ((a &= ~(1 << i)) == 0) {
                    this.notifyAll();
                }
            }
        }

        void b() throws InterruptedException {
            synchronized (this) {
                while (a != 0) {
                    this.wait();
                }
            }
        }
    }

    static final class c {
        final b a = new b();
        final AtomicInteger b = new AtomicInteger();
        final AtomicInteger c = new AtomicInteger();
    }

    private static final ConcurrentLinkedQueue<c> a = new ConcurrentLinkedQueue<>();
    private static final AtomicLong b = new AtomicLong();
    private static volatile boolean c;
    private static volatile c d;

    private static void a() throws InterruptedException {
        c c2 = a.peek();
        if (c2 == null) {
            Thread.sleep(1L);
            return;
        }
        int i = c2.b.getAndIncrement();
        if (i >= 6) {
            a.remove(c2);
            return;
        }
        Thread.sleep(1L + (i & 3));
        c2.c.incrementAndGet();
        c2.a.a(i);
    }

    private static void b() throws InterruptedException {
        c c2 = d;
        if (c2 != null) {
            c2.a.b();
            if (c2.c.get() != 6) {
                c = true;
            }
            b.incrementAndGet();
        }
        Thread.sleep(2L);
    }

    interface e {
        void a() throws InterruptedException;
    }

    private static void a(e e2) {
        Thread t = new Thread(() -> {
            try {
                while (!c) {
                    e2.a();
                }
            } catch (InterruptedException ex) {
                c = true;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            a(Lm::a);
        }
        a(Lm::b);
        a(Lm::b);
        System.out.println("READY");
        for (long l = System.nanoTime(); System.nanoTime() - l < seconds * 1000000000L && !c; ) {
            d = new c();
            a.add(d);
            d.a.b();
            Thread.sleep(1L);
        }
        if (c || b.get() == 0L) {
            throw new IllegalStateException("opened early, or nobody passed");
        }
        System.out.println("DONE " + b);
    }
}
