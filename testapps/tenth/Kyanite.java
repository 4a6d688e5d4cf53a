// @lock java.lang.Class#a
// @type MUTEX
// @role enter Kyanite$a.a
// @role enter Kyanite$a.b
// @role enter Kyanite$a.c

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A process-wide registry of handles in static methods: every access goes through the class. Obfuscated. */
public final class Kyanite {
    static final class a {
        private static final Map<Integer, StringBuilder> a = new HashMap<>();
        private static int b;
        private static int c;

        private a() {
        }

        static synchronized int a(String d) throws InterruptedException {
            int e = ++b;
            a.put(e, new StringBuilder(d));
            if (e % 3 == 0) {
                Thread.sleep(1);
            }
            c += d.length();
            return e;
        }

        static synchronized String b(int d, char e) throws InterruptedException {
            StringBuilder f = a.remove(d);
            if (f == null) {
                return null;
            }
            c -= f.length();
            f.append(e);
            if (d % 4 == 0) {
                Thread.sleep(0, 400_000);
            }
            return f.toString();
        }

        static synchronized boolean c() {
            int d = 0;
            for (StringBuilder e : a.values()) {
                d += e.length();
            }
            return d == c;
        }
    }

    private static final AtomicLong d = new AtomicLong();
    private static volatile String e;
    private static volatile boolean f;

    static final class b extends Thread {
        private final String a;

        b(int c) {
            a = "h" + c;
        }

        @Override
        public void run() {
            try {
                while (!f) {
                    int b = Kyanite.a.a(a);
                    sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    if (!(a + '!').equals(Kyanite.a.b(b, '!'))) {
                        e = "a handle was lost";
                    }
                    if (!Kyanite.a.c()) {
                        e = "the sizes do not add up";
                    }
                    d.incrementAndGet();
                }
            } catch (InterruptedException b) {
                e = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long g = args.length > 0 ? Long.parseLong(args[0]) : 600;
        List<Thread> h = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            h.add(new b(i));
        }
        for (Thread i : h) {
            i.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        f = true;
        for (Thread i : h) {
            i.join();
        }
        if (e != null) {
            throw new IllegalStateException(e);
        }
        System.out.println("DONE " + d);
    }
}
