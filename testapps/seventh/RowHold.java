// @lock RowHold$a
// @type LOCK reentrant=false
// @role lock RowHold$a.b
// @role unlock RowHold$a.c

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Rows of a table locked by key in one table of holders, two rows for each transaction, the lower key first. Obfuscated. */
public final class RowHold {
    static final class a {
        private final Map<Integer, Thread> d = new HashMap<>();

        synchronized void b(Integer e) throws InterruptedException {
            Thread f = Thread.currentThread();
            if (d.get(e) == f) {
                throw new IllegalStateException();
            }
            while (d.containsKey(e)) {
                wait();
            }
            d.put(e, f);
        }

        synchronized void c(Integer g) {
            if (!d.remove(g, Thread.currentThread())) {
                throw new IllegalStateException();
            }
            notifyAll();
        }
    }

    private static final int[] h = new int[4];
    private static final AtomicLong i = new AtomicLong();
    private static final AtomicInteger j = new AtomicInteger();
    private static volatile boolean k;

    private static void l(a m) {
        try {
            while (!k) {
                int n = ThreadLocalRandom.current().nextInt(3);
                int o = ThreadLocalRandom.current().nextInt(n + 1, 4);
                m.b(n);
                m.b(o);
                int p = h[n];
                int q = h[o];
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                h[n] = p - 1;
                h[o] = q + 1;
                m.c(o);
                m.c(n);
                i.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException | IllegalStateException r) {
            j.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long s = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a t = new a();
        Thread[] u = new Thread[6];
        for (int v = 0; v < u.length; v++) {
            u[v] = new Thread(() -> l(t));
            u[v].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(s * 1000);
        k = true;
        for (Thread w : u) {
            w.join();
        }
        if (j.get() != 0 || h[0] + h[1] + h[2] + h[3] != 0) {
            throw new IllegalStateException("a change was lost");
        }
        System.out.println("DONE " + i);
    }
}
