// @lock Lk$b
// @type LOCK reentrant=false
// @role lock Lk$a.c
// @role lock Lk$a.d
// @role unlock Lk$a.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The leader's token of a job scheduler, obfuscated: taken with or without a time limit; who has it is kept as a thread's name. */
public final class Lk {
    abstract static class a {
        protected String f;

        abstract boolean g();

        final synchronized void c() throws InterruptedException {
            while (!g()) {
                wait();
            }
            f = Thread.currentThread().getName();
        }

        final synchronized boolean d(long m) throws InterruptedException {
            long u = System.nanoTime() / 1_000_000 + m;
            while (!g()) {
                long l = u - System.nanoTime() / 1_000_000;
                if (l <= 0) {
                    return false;
                }
                wait(l);
            }
            f = Thread.currentThread().getName();
            return true;
        }

        final synchronized void e() {
            if (!Thread.currentThread().getName().equals(f)) {
                throw new IllegalStateException();
            }
            f = null;
            notify();
        }
    }

    static final class b extends a {
        @Override
        boolean g() {
            if (Thread.currentThread().getName().equals(f)) {
                throw new IllegalStateException();
            }
            return f == null;
        }
    }

    static final b h = new b();
    static final AtomicLong i = new AtomicLong();
    static long j;
    static volatile boolean k;

    static void l() throws InterruptedException {
        if (ThreadLocalRandom.current().nextBoolean()) {
            h.c();
        } else if (!h.d(ThreadLocalRandom.current().nextInt(5, 30))) {
            return;
        }
        try {
            long x = j;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            j = x + 1;
            if (i.incrementAndGet() != j) {
                k = true;
            }
        } finally {
            h.e();
        }
        Thread.sleep(2);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int n = 0; n < 5; n++) {
            Thread t = new Thread(() -> {
                while (!k) {
                    try {
                        l();
                    } catch (InterruptedException | IllegalStateException z) {
                        k = true;
                    }
                }
            }, "l" + n);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (k) {
            throw new IllegalStateException("two leaders at once");
        }
        System.out.println("DONE " + i);
    }
}
