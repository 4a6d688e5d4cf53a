// @lock Jadeite$a
// @type CONDITION
// @role wait Jadeite$a.a
// @role notify Jadeite$a.a
//
// @lock Jadeite$b
// @type CONDITION
// @role wait Jadeite$b.c
// @role notify Jadeite$b.b

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Trainers that may run at most three steps ahead of the slowest one, and a count of outstanding requests awaited until it is zero, over and over. Obfuscated. */
public final class Jadeite {
    static final class a {
        private final long[] a;

        a(int b) {
            a = new long[b];
        }

        synchronized long a(int b) throws InterruptedException {
            a[b]++;
            notifyAll();
            long c;
            while (a[b] - (c = b()) > 3) {
                wait();
            }
            return c;
        }

        private long b() {
            return Arrays.stream(a).min().getAsLong();
        }
    }

    static final class b {
        private int a;

        synchronized void a() {
            a++;
        }

        synchronized void b() {
            if (--a < 0) {
                throw new IllegalStateException("below zero");
            }
            if (a == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (a != 0) {
                wait();
            }
        }
    }

    static final class c implements Runnable {
        private final b a;
        private final AtomicLong b;

        c(b c, AtomicLong d) {
            a = c;
            b = d;
            a.a();
        }

        @Override
        public void run() {
            b.incrementAndGet();
            a.b();
        }
    }

    private static final Queue<c> d = new ConcurrentLinkedQueue<>();
    private static final AtomicLong e = new AtomicLong();
    private static volatile String f;

    private static void a(a g, int h) throws InterruptedException {
        for (long i = 1; f == null; i++) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(10) == 0 ? 12 : 2);
            if (i - g.a(h) > 3) {
                f = "too far ahead";
            }
            e.incrementAndGet();
        }
    }

    private static void b() throws InterruptedException {
        b g = new b();
        while (f == null) {
            AtomicLong h = new AtomicLong();
            int i = ThreadLocalRandom.current().nextInt(1, 7);
            for (int j = 0; j < i; j++) {
                d.add(new c(g, h));
            }
            g.c();
            if (h.get() != i) {
                f = "came back too early";
            }
            e.incrementAndGet();
        }
    }

    private static void c() throws InterruptedException {
        while (f == null) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            c g = d.poll();
            if (g != null) {
                g.run();
            }
        }
    }

    interface d {
        void a() throws InterruptedException;
    }

    private static void d(d g) {
        Thread h = new Thread(() -> {
            try {
                g.a();
            } catch (InterruptedException i) {
                f = "interrupted";
            }
        });
        h.setDaemon(true);
        h.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long g = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a h = new a(4);
        for (int i = 0; i < 4; i++) {
            int j = i;
            d(() -> a(h, j));
            d(Jadeite::c);
        }
        for (int i = 0; i < 3; i++) {
            d(Jadeite::b);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (f != null) {
            throw new IllegalStateException(f);
        }
        System.out.println("DONE " + e);
    }
}
