// @lock Feldspar$a
// @type SEMAPHORE permits=3
// @role acquire Feldspar$a.a
// @role release Feldspar$a.b
//
// @lock Feldspar$b
// @type SEMAPHORE permits=4
// @role acquire Feldspar$b.a
// @role release Feldspar$b.b

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A tool for three users that remembers who they are, and four channels kept as bits, for which one waits a limited time. Obfuscated. */
public final class Feldspar {
    static final class a {
        private final Set<Thread> a = new LinkedHashSet<>();

        synchronized void a() {
            boolean b = false;
            while (a.size() == 3) {
                try {
                    wait();
                } catch (InterruptedException c) {
                    b = true;
                }
            }
            a.add(Thread.currentThread());
            if (b) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized void b() {
            if (!a.remove(Thread.currentThread())) {
                throw new IllegalMonitorStateException();
            }
            notify();
        }
    }

    static final class b {
        private int a = 0b1111;

        synchronized int a(long b) throws InterruptedException {
            long c = System.nanoTime() + b * 1_000_000L;
            while (a == 0) {
                long d = (c - System.nanoTime()) / 1_000_000L;
                if (d <= 0) {
                    return -1;
                }
                wait(d);
            }
            int e = Integer.numberOfTrailingZeros(a);
            a &= ~(1 << e);
            return e;
        }

        synchronized void b(int c) {
            a |= 1 << c;
            notifyAll();
        }
    }

    private static final a c = new a();
    private static final b d = new b();
    private static final AtomicLong e = new AtomicLong();
    private static final AtomicInteger f = new AtomicInteger();
    private static final AtomicIntegerArray g = new AtomicIntegerArray(4);
    private static volatile String h;

    private static void a() throws InterruptedException {
        c.a();
        try {
            if (f.incrementAndGet() > 3) {
                h = "more than three";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        } finally {
            f.decrementAndGet();
            c.b();
        }
    }

    private static void b() throws InterruptedException {
        int i = d.a(30);
        if (i < 0) {
            return;
        }
        if (!g.compareAndSet(i, 0, 1)) {
            h = "a channel was given twice";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
        g.set(i, 0);
        d.b(i);
    }

    static final class c implements Runnable {
        private final boolean a;

        c(boolean b) {
            a = b;
        }

        @Override
        public void run() {
            try {
                while (h == null) {
                    if (a) {
                        Feldspar.a();
                    } else {
                        Feldspar.b();
                    }
                    e.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                }
            } catch (InterruptedException b) {
                h = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long i = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int j = 0; j < 14; j++) {
            Thread k = new Thread(new c(j % 2 == 0));
            k.setDaemon(true);
            k.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(i * 1000);
        if (h != null) {
            throw new IllegalStateException(h);
        }
        System.out.println("DONE " + e);
    }
}
