// @lock SignOff$a
// @type LATCH count=4
// @role count-down SignOff$a.b
// @role await SignOff$a.c

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A release is shipped when four departments have signed it, each once; it knows who is missing. Obfuscated. */
public final class SignOff {
    static final class a {
        private final Set<String> d = new HashSet<>(Arrays.asList("qa", "legal", "ops", "docs"));
        final AtomicInteger e = new AtomicInteger();
        final AtomicInteger f = new AtomicInteger();

        synchronized boolean b(String g) {
            boolean h = d.remove(g);
            if (d.isEmpty()) {
                this.notifyAll();
            }
            return h;
        }

        void c() throws InterruptedException {
            synchronized (this) {
                for (; !d.isEmpty();) {
                    this.wait();
                }
            }
        }
    }

    private static final String[] i = {"qa", "legal", "ops", "docs"};
    private static final AtomicLong j = new AtomicLong();
    private static final AtomicInteger k = new AtomicInteger();

    private static void l(String m, ConcurrentLinkedQueue<a> n) {
        try {
            while (true) {
                a o = n.poll();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                if (o == null) {
                    continue;
                }
                if (m != null) {
                    o.e.incrementAndGet();
                    if (!o.b(m)) {
                        k.incrementAndGet();
                    }
                } else {
                    o.c();
                    if (o.e.get() != 4) {
                        k.incrementAndGet();
                    }
                    o.f.incrementAndGet();
                    j.incrementAndGet();
                }
            }
        } catch (InterruptedException p) {
            k.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long q = args.length > 0 ? Long.parseLong(args[0]) : 600;
        int r = i.length;
        ConcurrentLinkedQueue<ConcurrentLinkedQueue<a>> s = new ConcurrentLinkedQueue<>();
        for (int t = 0; t < r + 2; t++) {
            String u = t < r ? i[t] : null;
            ConcurrentLinkedQueue<a> v = new ConcurrentLinkedQueue<>();
            s.add(v);
            Thread w = new Thread(() -> l(u, v));
            w.setDaemon(true);
            w.start();
        }
        System.out.println("READY");
        System.out.flush();
        long x = System.nanoTime() + q * 1_000_000_000L;
        while (System.nanoTime() < x) {
            a y = new a();
            s.forEach(z -> z.add(y));
            y.c();
            for (int z = 0; z < 5_000 && y.f.get() < 2; z++) {
                Thread.sleep(1);
            }
            if (y.f.get() < 2 || k.get() != 0) {
                throw new IllegalStateException("shipped without all four, or never");
            }
        }
        System.out.println("DONE " + j);
    }
}
