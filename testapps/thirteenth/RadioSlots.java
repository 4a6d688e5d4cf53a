// Three radio slots given out first come, first served: a released slot goes straight to the ticket of who waits longest,
// and that one sleeps on its own ticket. A beacon pauses in between. Names as an obfuscator leaves them.
//
// @lock RadioSlots$b
// @type SEMAPHORE permits=3
// @role acquire RadioSlots$b.a
// @role release RadioSlots$b.b
//
// @lock RadioSlots$d
// @type DELAY
// @role delay RadioSlots$d.a

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class RadioSlots {
    static volatile String k;
    static final AtomicLong l = new AtomicLong(), m = new AtomicLong();

    static final class a {
        int a;
    }

    static final class b {
        private final List<a> a = new ArrayList<>();
        private int b;

        b(int n) {
            b = n;
        }

        void a() {
            boolean i = false;
            a t = new a();
            synchronized (t) {
                if (!c(t)) {
                    while (t.a == 0) {
                        try {
                            t.wait();
                        } catch (InterruptedException e) {
                            i = true;
                        }
                    }
                }
            }
            if (i)
                Thread.currentThread().interrupt();
        }

        private boolean c(a t) {
            synchronized (this) {
                if (b > 0) {
                    b--;
                    return true;
                }
                a.add(t);
                return false;
            }
        }

        void b() {
            a t;
            synchronized (this) {
                if (a.isEmpty()) {
                    b++;
                    return;
                }
                t = a.remove(0);
            }
            synchronized (t) {
                t.a = 1;
                t.notify();
            }
        }
    }

    static class d {
        private final long a;

        d(long a) {
            this.a = a;
        }

        void a() throws InterruptedException {
            long b = System.nanoTime() / 1_000_000L + a;
            synchronized (this) {
                do {
                    long c = b - System.nanoTime() / 1_000_000L;
                    if (c < 1)
                        break;
                    wait(c);
                } while (true);
            }
        }
    }

    static void e(b b, AtomicInteger n) throws InterruptedException {
        b.a();
        if (n.incrementAndGet() > 3)
            k = "four on the air";
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        n.decrementAndGet();
        b.b();
        l.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
    }

    static void f(d d) throws InterruptedException {
        long t = System.nanoTime();
        d.a();
        if (System.nanoTime() - t < 5_000_000L)
            k = "beacon too early";
        m.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final b b = new b(3);
        final AtomicInteger n = new AtomicInteger();
        for (int i = 0; i < 8; i++) {
            final d d = i < 6 ? null : new d(7 + i);
            Thread t = new Thread("r" + i) {
                @Override
                public void run() {
                    try {
                        for (;;) {
                            if (d == null)
                                e(b, n);
                            else
                                f(d);
                        }
                    } catch (InterruptedException x) {
                        k = getName();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long t = System.currentTimeMillis() + s * 1000L;
        long o = -1;
        int idle = 0;
        while (k == null && System.currentTimeMillis() < t) {
            Thread.sleep(200);
            idle = l.get() == o ? idle + 1 : 0;
            if (idle > 25)
                k = "silence";
            o = l.get();
        }
        if (k == null && m.get() == 0)
            k = "no beacon";
        if (k != null) {
            System.out.println("BROKEN " + k);
            System.exit(1);
        }
        System.out.println("DONE " + l.get());
    }
}
