// @lock HeldMap$b
// @type READ-WRITE preference=writers reentrant=true
// @role read-lock HeldMap$b.a
// @role read-unlock HeldMap$b.b
// @role write-lock HeldMap$b.c
// @role write-unlock HeldMap$b.d

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** A re-entrant readers-writer lock with a map of read holds and an upgrade for the only reader. Obfuscated. */
public class HeldMap {
    static class b {
        private final Map<Thread, Integer> e = new HashMap<>();
        private int f;
        private int g;
        private Thread h;

        synchronized void a() throws InterruptedException {
            Thread i = Thread.currentThread();
            while (!k(i)) {
                wait();
            }
            Integer j = e.get(i);
            e.put(i, j == null ? 1 : j + 1);
        }

        synchronized void b() {
            Thread i = Thread.currentThread();
            Integer j = e.get(i);
            if (j == null) {
                throw new IllegalMonitorStateException("no hold");
            }
            if (j == 1) {
                e.remove(i);
            } else {
                e.put(i, j - 1);
            }
            notifyAll();
        }

        synchronized void c() throws InterruptedException {
            g++;
            Thread i = Thread.currentThread();
            while (!l(i)) {
                wait();
            }
            g--;
            f++;
            h = i;
        }

        synchronized void d() {
            if (h != Thread.currentThread()) {
                throw new IllegalMonitorStateException("not the writer");
            }
            f--;
            if (f == 0) {
                h = null;
            }
            notifyAll();
        }

        private boolean k(Thread i) {
            if (h == i) {
                return true;
            }
            if (h != null) {
                return false;
            }
            if (e.containsKey(i)) {
                return true;
            }
            return g == 0;
        }

        private boolean l(Thread i) {
            if (e.size() == 1 && e.containsKey(i)) {
                return true;
            }
            if (!e.isEmpty()) {
                return false;
            }
            return h == null || h == i;
        }
    }

    static final b m = new b();
    static final AtomicInteger n = new AtomicInteger();
    static final AtomicInteger o = new AtomicInteger();
    static final AtomicInteger p = new AtomicInteger();
    static volatile boolean q;

    static void r(Random s) throws InterruptedException {
        m.a();
        n.incrementAndGet();
        if (o.get() != 0) {
            q = true;
        }
        Thread.sleep(s.nextInt(3));
        m.a();
        m.b();
        n.decrementAndGet();
        m.b();
    }

    static void t(Random s, boolean u) throws InterruptedException {
        if (u) {
            m.a();
        }
        m.c();
        if (o.incrementAndGet() != 1 || n.get() != 0) {
            q = true;
        }
        Thread.sleep(s.nextInt(2));
        m.c();
        m.d();
        o.decrementAndGet();
        m.d();
        if (u) {
            m.b();
        }
    }

    public static void main(String[] v) throws InterruptedException {
        long w = v.length > 0 ? Long.parseLong(v[0]) : 600;
        for (int x = 0; x < 6; x++) {
            final int y = x;
            Thread z = new Thread(() -> {
                Random s = new Random(y);
                try {
                    while (true) {
                        if (y < 4) {
                            r(s);
                            Thread.sleep(2 + s.nextInt(5));
                        } else {
                            t(s, y == 4 && s.nextInt(8) == 0);
                            Thread.sleep(5 + s.nextInt(8));
                        }
                        p.incrementAndGet();
                    }
                } catch (InterruptedException aa) {
                    q = true;
                }
            });
            z.setDaemon(true);
            z.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(w * 1000);
        if (q) {
            System.out.println("reader beside a writer");
            System.exit(1);
        }
        System.out.println("DONE " + p);
    }
}
