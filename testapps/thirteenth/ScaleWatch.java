// Three workspaces shared by six users; a scaler waits until all three are in use, to note that there should be more.
// Names as an obfuscator leaves them.
//
// @lock ScaleWatch$a
// @type SEMAPHORE+CONDITION permits=3
// @role acquire ScaleWatch$a.a
// @role release ScaleWatch$a.b
// @role wait ScaleWatch$a.c
// @role notify ScaleWatch$a.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class ScaleWatch {
    static volatile String e;
    static final AtomicLong f = new AtomicLong(), g = new AtomicLong();

    static final class a {
        private final boolean[] a = new boolean[3];
        private int b;
        private long c;

        synchronized int a() throws InterruptedException {
            while (b == a.length)
                wait();
            int i = 0;
            while (a[i])
                i++;
            a[i] = true;
            if (++b == a.length) {
                c++;
                notifyAll();
            }
            return i;
        }

        synchronized void b(int i) {
            if (!a[i])
                throw new IllegalArgumentException("" + i);
            a[i] = false;
            b--;
            notifyAll();
        }

        /** Until all are in use once more. */
        synchronized long c(long l) throws InterruptedException {
            while (c == l)
                wait();
            return c;
        }
    }

    static abstract class b extends Thread {
        b() {
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true)
                    a();
            } catch (InterruptedException | RuntimeException x) {
                e = x.toString();
            }
        }

        abstract void a() throws InterruptedException;
    }

    static class c extends b {
        private final a a;
        private final AtomicInteger[] b;

        c(a a, AtomicInteger[] b) {
            this.a = a;
            this.b = b;
        }

        @Override
        void a() throws InterruptedException {
            int i = a.a();
            if (b[i].getAndSet(1) != 0)
                e = "workspace " + i + " twice";
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
            b[i].set(0);
            a.b(i);
            f.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    static class d extends b {
        private final a a;
        private long b;

        d(a a) {
            this.a = a;
        }

        @Override
        void a() throws InterruptedException {
            long n = a.c(b);
            if (n <= b)
                e = "not in use";
            b = n;
            g.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a a = new a();
        AtomicInteger[] k = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        for (int i = 0; i < 6; i++)
            new c(a, k).start();
        new d(a).start();
        System.out.println("READY");
        long t = System.currentTimeMillis() + s * 1000L;
        while (e == null && System.currentTimeMillis() < t)
            Thread.sleep(20);
        if (e == null && (f.get() == 0 || g.get() == 0))
            e = "no progress";
        if (e != null) {
            System.out.println("BROKEN " + e);
            System.exit(1);
        }
        System.out.println("DONE " + (f.get() + g.get()));
    }
}
