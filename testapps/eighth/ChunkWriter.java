// @lock java.util.ArrayList#c
// @type PRODUCER-CONSUMER capacity=12
// @role put ChunkWriter$b.a
// @role take ChunkWriter$b.c

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** A batch step: readers deliver items one by one, writers take them in chunks of up to five. Obfuscated. */
public final class ChunkWriter {
    static class a {
        protected final Object b;

        a(Object c) {
            b = c;
        }

        protected final void b(BooleanSupplier c) throws InterruptedException {
            while (!c.getAsBoolean()) {
                b.wait();
            }
        }
    }

    static final class b extends a {
        private final List<Long> c;

        b(List<Long> d) {
            super(d);
            c = d;
        }

        void a(long d) throws InterruptedException {
            synchronized (b) {
                b(() -> c.size() < 12);
                c.add(d);
                b.notifyAll();
            }
        }

        List<Long> c(int d) throws InterruptedException {
            synchronized (b) {
                b(() -> !c.isEmpty());
                List<Long> e = c.subList(0, Math.min(d, c.size()));
                List<Long> f = new ArrayList<>(e);
                e.clear();
                b.notifyAll();
                return f;
            }
        }
    }

    static final AtomicLong c = new AtomicLong();
    static final AtomicLong d = new AtomicLong();
    static final AtomicLong e = new AtomicLong();
    static volatile boolean f;
    static volatile Throwable g;

    interface h {
        boolean a() throws InterruptedException;
    }

    static Thread i(h j) {
        Thread k = new Thread(() -> {
            try {
                boolean l = true;
                while (l) {
                    l = j.a();
                }
            } catch (Throwable m) {
                g = m;
            }
        });
        k.start();
        return k;
    }

    public static void main(String[] j) throws Exception {
        long k = j.length > 0 ? Long.parseLong(j[0]) : 600;
        b l = new b(new ArrayList<>());
        List<Thread> m = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            m.add(i(() -> {
                for (int o = ThreadLocalRandom.current().nextInt(8); o >= 0; o--) {
                    long p = c.incrementAndGet();
                    d.addAndGet(p);
                    l.a(p);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                return !f;
            }));
        }
        List<Thread> n = new ArrayList<>();
        for (int o = 0; o < 2; o++) {
            n.add(i(() -> {
                List<Long> p = l.c(5);
                boolean q = !p.contains(-1L);
                for (long r : p) {
                    if (r > 0) {
                        e.incrementAndGet();
                        d.addAndGet(-r);
                    }
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                return q;
            }));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(k * 1000);
        f = true;
        for (Thread o : m) {
            o.join();
        }
        while (n.stream().anyMatch(Thread::isAlive)) {
            l.a(-1L);
            Thread.sleep(10);
        }
        if (g != null) {
            throw new Exception(g);
        }
        if (d.get() != 0 || c.get() != e.get()) {
            throw new IllegalStateException(c + " read, " + e + " written");
        }
        System.out.println("DONE " + e);
    }
}
