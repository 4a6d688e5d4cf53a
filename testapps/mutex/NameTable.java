// @lock java.lang.Class#a
// @type MUTEX
// @role enter NameTable$b.a
// @role enter NameTable$b.c

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Names interned into numbers by several parsers; static synchronized, and shipped through an obfuscator. */
public final class NameTable {
    static final class b {
        private static Map<String, Integer> d = new HashMap<>();
        private static String[] e = new String[16];
        private static int f;

        private b() {
        }

        static synchronized int a(String g) {
            Integer h = d.get(g);
            if (h == null) {
                if (f == e.length) {
                    i();
                }
                e[f] = g;
                h = f++;
                d.put(g, h);
            }
            return h;
        }

        private static void i() {
            e = java.util.Arrays.copyOf(e, e.length * 2);
            try {
                Thread.sleep(2);
            } catch (InterruptedException j) {
                Thread.currentThread().interrupt();
            }
        }

        static synchronized String c(int g) {
            if (g % 16 == 0) {
                // A cold entry: rebuilt from the table, which takes a while.
                for (int k = 0; k < 40; k++) {
                    d = new HashMap<>(d);
                }
            }
            return e[g];
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long l = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AtomicBoolean m = new AtomicBoolean();
        AtomicLong n = new AtomicLong();
        AtomicLong o = new AtomicLong();
        Thread[] p = new Thread[5];
        for (int q = 0; q < p.length; q++) {
            p[q] = new Thread(() -> {
                while (!m.get()) {
                    String r = "name" + ThreadLocalRandom.current().nextInt(1024);
                    int s = b.a(r);
                    if (!b.c(s).equals(r)) {
                        o.incrementAndGet();
                    }
                    n.incrementAndGet();
                    try {
                        Thread.sleep(1 + s % 4);
                    } catch (InterruptedException t) {
                        return;
                    }
                }
            });
            p[q].setDaemon(true);
            p[q].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(l * 1000);
        m.set(true);
        for (Thread q : p) {
            q.join(5_000);
        }
        if (o.get() != 0) {
            throw new IllegalStateException(o + " names came back as others");
        }
        System.out.println("DONE " + n);
    }
}
