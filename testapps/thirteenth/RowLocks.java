// The row locks of an embedded database: one lock manager knows who owns which row and how often; a row is locked again
// by its owner freely. A checkpointer looks every few milliseconds. The names are the obfuscator's.
//
// @lock RowLocks$a
// @type LOCK reentrant=true
// @role lock RowLocks$a.a
// @role lock RowLocks$a.b
// @role unlock RowLocks$a.c
//
// @lock RowLocks$c
// @type DELAY
// @role delay RowLocks$c.run

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class RowLocks {
    static volatile String p;
    static final AtomicLong q = new AtomicLong(), u = new AtomicLong();

    static final class b {
        Thread a;
        int b;

        b(Thread a) {
            this.a = a;
        }
    }

    static class a {
        private final Map<Integer, b> a = new HashMap<>();

        synchronized void a(int k) throws InterruptedException {
            while (!e(k))
                wait();
        }

        synchronized boolean b(int k, long m) throws InterruptedException {
            long t = System.nanoTime() + m * 1_000_000L;
            while (!e(k)) {
                long l = t - System.nanoTime();
                if (l <= 0)
                    return false;
                wait(l / 1_000_000L, (int) (l % 1_000_000L));
            }
            return true;
        }

        synchronized void c(int k) {
            b b = a.get(k);
            if (b == null || b.a != Thread.currentThread())
                throw new IllegalMonitorStateException("row " + k);
            if (--b.b > 0)
                return;
            a.remove(k);
            notifyAll();
        }

        private boolean e(int k) {
            b b = a.get(k);
            if (b == null)
                a.put(k, b = new b(Thread.currentThread()));
            else if (b.a != Thread.currentThread())
                return false;
            b.b++;
            return true;
        }
    }

    static final class c extends Thread {
        volatile int a;

        @Override
        public synchronized void run() {
            try {
                for (;;) {
                    long t = System.currentTimeMillis() + 9;
                    for (long l = 9; l > 0; l = t - System.currentTimeMillis())
                        wait(l);
                    a++;
                }
            } catch (InterruptedException e) {
                p = "c";
            }
        }
    }

    static final class d extends Thread {
        private final a a;
        private final int[] b;

        d(a a, int[] b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                for (;;) {
                    int i = r.nextInt(b.length);
                    a.a(i);
                    int v = b[i];
                    Thread.sleep(r.nextInt(1, 4));
                    a(i, v);
                    if (i > 0 && a.b(i - 1, 3)) {
                        b[i - 1]++;
                        u.incrementAndGet();
                        a.c(i - 1);
                    }
                    a.c(i);
                    q.incrementAndGet();
                    Thread.sleep(1);
                }
            } catch (InterruptedException | RuntimeException e) {
                p = e.toString();
            }
        }

        private void a(int i, int v) throws InterruptedException {
            a.a(i);
            if (b[i] != v)
                p = "row " + i + " has changed";
            b[i] = v + 1;
            u.incrementAndGet();
            a.c(i);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a a = new a();
        int[] rows = new int[3];
        for (int i = 0; i < 5; i++)
            new d(a, rows).start();
        c[] c = {new c(), new c()};
        for (c t : c) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long e = System.nanoTime() + n * 1_000_000_000L;
        long l = -1;
        int idle = 0;
        while (p == null && System.nanoTime() < e) {
            Thread.sleep(300);
            idle = q.get() == l ? idle + 1 : 0;
            if (idle > 25)
                p = "stuck";
            l = q.get();
        }
        for (int i = 0; i < rows.length; i++)
            a.a(i);
        int s = 0;
        for (int v : rows)
            s += v;
        if (s != u.get() || c[0].a == 0 || c[1].a == 0)
            p = "rows " + s + ", updates " + u;
        if (p != null) {
            System.out.println("BROKEN " + p);
            System.exit(1);
        }
        System.out.println("DONE " + q);
        System.exit(0);
    }
}
