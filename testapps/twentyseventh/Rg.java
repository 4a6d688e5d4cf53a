// @lock Rg$a
// @type CONDITION form=resettable-event
// @role wait Rg$a.a
// @role notify Rg$a.b
//
// @lock Rg$b
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock Rg$b.a
// @role read-unlock Rg$b.b
// @role write-lock Rg$b.c
// @role write-unlock Rg$b.d

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Rg {
    static volatile String c;
    static final AtomicLong d = new AtomicLong();

    static final class a {
        private boolean d;

        synchronized void a() throws InterruptedException {
            while (!d) {
                wait();
            }
        }

        synchronized void b() {
            d = true;
            notifyAll();
        }

        synchronized void c() {
            d = false;
        }
    }

    static final class b {
        private final Map<Thread, Integer> e = new HashMap<>();
        private Thread f;
        private int g;

        synchronized void a() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (f != null && f != t) {
                wait();
            }
            e.merge(t, 1, Integer::sum);
        }

        synchronized void b() {
            Thread t = Thread.currentThread();
            Integer n = e.get(t);
            if (n == null) {
                throw new IllegalMonitorStateException();
            }
            if (n == 1) {
                e.remove(t);
                if (e.isEmpty()) {
                    notifyAll();
                }
            } else {
                e.put(t, n - 1);
            }
        }

        synchronized void c() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (f != t && (f != null || !e.isEmpty())) {
                wait();
            }
            f = t;
            g++;
        }

        synchronized void d() {
            if (f != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            if (--g == 0) {
                f = null;
                notifyAll();
            }
        }
    }

    static final a h = new a();
    static final b i = new b();
    static final Map<Integer, Long> j = new HashMap<>();

    static long a(int n) throws InterruptedException {
        i.a();
        try {
            long v = j.getOrDefault(n, 0L);
            if (n > 0) {
                Thread.sleep(1);
                return v + a(n - 1);
            }
            return v;
        } finally {
            i.b();
        }
    }

    static void a(int n, long v) throws InterruptedException {
        i.c();
        try {
            j.merge(n, v, Long::sum);
            if (n > 0) {
                a(n - 1, -v);
                Thread.sleep(1);
            }
        } finally {
            i.d();
        }
    }

    interface c {
        void a() throws InterruptedException;
    }

    static void a(c k) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    k.a();
                    d.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException z) {
                c = z.toString();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int k = 0; k < 3; k++) {
            a(() -> {
                h.a();
                if (a(3) != 0) {
                    c = "half an edit";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
            });
        }
        for (int k = 0; k < 2; k++) {
            a(() -> {
                a(3, ThreadLocalRandom.current().nextInt(100));
                Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
            });
        }
        a(() -> {
            h.b();
            Thread.sleep(ThreadLocalRandom.current().nextInt(10, 20));
            h.c();
            Thread.sleep(ThreadLocalRandom.current().nextInt(10, 20));
        });
        System.out.println("READY");
        for (long u = System.nanoTime() + n * 1_000_000_000L; System.nanoTime() < u && c == null;) {
            Thread.sleep(20);
        }
        System.out.println(c != null ? c : "DONE " + d.get());
        System.exit(c != null ? 1 : 0);
    }
}
