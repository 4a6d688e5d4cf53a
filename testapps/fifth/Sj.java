// @lock Sj$a
// @type JOIN
// @role join Sj.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A supervisor, obfuscated: it waits on each short-lived child thread itself until the VM has seen it off, then starts another. */
public final class Sj {
    static final class a extends Thread {
        final int c;
        volatile int d;

        a(int c) {
            this.c = c;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(c);
            } catch (InterruptedException x) {
                return;
            }
            d = c * c;
        }
    }

    static boolean b(a t, long m) {
        boolean i = false;
        long u = System.currentTimeMillis() + m;
        synchronized (t) {
            while (t.isAlive()) {
                long l = u - System.currentTimeMillis();
                if (l <= 0) {
                    break;
                }
                try {
                    t.wait(l);
                } catch (InterruptedException x) {
                    i = true;
                }
            }
        }
        if (i) {
            Thread.currentThread().interrupt();
        }
        return !t.isAlive();
    }

    static final AtomicLong e = new AtomicLong();
    static volatile boolean f;

    static void g() {
        while (!f) {
            a[] k = {new a(ThreadLocalRandom.current().nextInt(1, 5)), new a(ThreadLocalRandom.current().nextInt(2, 6))};
            for (a t : k) {
                t.start();
            }
            for (a t : k) {
                if (!b(t, 20_000) || t.d != t.c * t.c) {
                    f = true;
                }
                e.incrementAndGet();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(Sj::g, "s" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (f) {
            throw new IllegalStateException("a child was still at work when it had been waited for");
        }
        System.out.println("DONE " + e);
    }
}
