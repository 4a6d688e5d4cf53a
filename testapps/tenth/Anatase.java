// @lock java.util.ArrayDeque#a
// @type LOCK reentrant=false
// @role lock Anatase$a.a
// @role unlock Anatase$a.b
//
// @lock Anatase$b
// @type LOCK reentrant=true
// @role lock Anatase$b.a
// @role unlock Anatase$b.b

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A lathe that belongs to the first in its line, and a drawing that may be claimed again by whoever has it and is given up on after a while by others. Obfuscated. */
public final class Anatase {
    static final class a {
        private final Deque<Thread> a = new ArrayDeque<>();

        void a() throws InterruptedException {
            Thread b = Thread.currentThread();
            synchronized (a) {
                if (a.contains(b)) {
                    throw new IllegalMonitorStateException();
                }
                a.addLast(b);
                try {
                    while (a.peekFirst() != b) {
                        a.wait();
                    }
                } catch (InterruptedException c) {
                    a.remove(b);
                    a.notifyAll();
                    throw c;
                }
            }
        }

        void b() {
            synchronized (a) {
                if (a.peekFirst() != Thread.currentThread()) {
                    throw new IllegalMonitorStateException();
                }
                a.removeFirst();
                if (!a.isEmpty()) {
                    a.notifyAll();
                }
            }
        }
    }

    static final class b {
        private long a;
        private int b;

        synchronized boolean a(long c) throws InterruptedException {
            long d = Thread.currentThread().getId();
            long e = System.nanoTime() + c * 1_000_000L;
            while (b > 0 && a != d) {
                long f = e - System.nanoTime();
                if (f <= 0) {
                    return false;
                }
                wait(1 + f / 1_000_000L);
            }
            a = d;
            b++;
            return true;
        }

        synchronized void b() {
            if (b == 0 || a != Thread.currentThread().getId()) {
                throw new IllegalMonitorStateException();
            }
            if (--b == 0) {
                a = 0;
                notify();
            }
        }
    }

    private static final a c = new a();
    private static final b d = new b();
    private static final AtomicInteger e = new AtomicInteger();
    private static final AtomicLong f = new AtomicLong();
    private static volatile String g;
    private static long h;
    private static long i;

    private static void a() throws InterruptedException {
        c.a();
        try {
            if (e.incrementAndGet() != 1) {
                g = "two at the lathe";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            e.decrementAndGet();
        } finally {
            c.b();
        }
    }

    private static void a(int j) throws InterruptedException {
        if (!d.a(j > 0 ? 10_000 : 40)) {
            if (j > 0) {
                g = "its own drawing was refused";
            }
            return;
        }
        try {
            h++;
            if (j < 2) {
                a(j + 1);
                Thread.sleep(1);
            }
            i++;
            if (j == 0 && h != i) {
                g = "two at the drawing";
            }
        } finally {
            d.b();
        }
    }

    static final class c extends Thread {
        private final boolean a;

        c(boolean b) {
            a = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (g == null) {
                    if (a) {
                        Anatase.a();
                    } else {
                        Anatase.a(0);
                    }
                    f.incrementAndGet();
                    sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            } catch (InterruptedException | IllegalMonitorStateException b) {
                g = b.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long j = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int k = 0; k < 10; k++) {
            new c(k < 5).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        if (g != null) {
            throw new IllegalStateException(g);
        }
        System.out.println("DONE " + f);
    }
}
