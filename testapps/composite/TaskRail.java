// @lock TaskRail$a$c
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put TaskRail$a.d
// @role take TaskRail$a.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A linked queue with one monitor for its head and one for its tail, and a count of those who wait. Obfuscated. */
public final class TaskRail {
    static final class a {
        private static final class b {
            private Integer f;
            private volatile b g;
        }

        private static final class c {
            private b h;
        }

        private final c i = new c();
        private final c j = new c();
        private int k;

        a() {
            i.h = new b();
            j.h = i.h;
        }

        void d(Integer l) {
            b m = new b();
            m.f = l;
            synchronized (j) {
                j.h.g = m;
                j.h = m;
            }
            synchronized (i) {
                if (k > 0) {
                    i.notify();
                }
            }
        }

        Integer e() throws InterruptedException {
            synchronized (i) {
                b l = i.h.g;
                while (l == null) {
                    k++;
                    try {
                        i.wait();
                    } finally {
                        k--;
                    }
                    l = i.h.g;
                }
                i.h = l;
                Integer m = l.f;
                l.f = null;
                return m;
            }
        }
    }

    private static final AtomicLong n = new AtomicLong();
    private static final AtomicLong o = new AtomicLong();
    private static volatile boolean p;

    public static void main(String[] args) throws InterruptedException {
        long q = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a r = new a();
        Thread[] s = new Thread[5];
        for (int t = 0; t < s.length; t++) {
            boolean u = t < 2;
            s[t] = new Thread(() -> {
                try {
                    while (!(u && p)) {
                        if (u) {
                            for (int v = 0; v < 3; v++) {
                                n.incrementAndGet();
                                r.d(1);
                            }
                            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                        } else {
                            Integer v = r.e();
                            if (v == 0) {
                                return;
                            }
                            o.incrementAndGet();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(5));
                        }
                    }
                } catch (InterruptedException v) {
                    Thread.currentThread().interrupt();
                }
            });
            s[t].setDaemon(true);
            s[t].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(q * 1000);
        p = true;
        s[0].join(5_000);
        s[1].join(5_000);
        for (int t = 2; t < s.length; t++) {
            r.d(0);
        }
        for (Thread t : s) {
            t.join(5_000);
        }
        if (n.get() != o.get()) {
            throw new IllegalStateException(n + " sent, " + o + " done");
        }
        System.out.println("DONE " + o);
    }
}
