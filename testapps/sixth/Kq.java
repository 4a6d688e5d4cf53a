// @lock java.lang.Class
// @type MUTEX
// @role enter Kq$a.a
// @role enter Kq$a.b

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Serial numbers drawn in blocks from a counter file, by static methods; names as an obfuscator leaves them. */
public final class Kq {
    static class a {
        private static long a;
        private static long b;
        private static char[] c = "000000".toCharArray();

        private a() {
        }

        static synchronized String a() throws InterruptedException {
            if (a == b) {
                c();
            }
            long l = a++;
            for (int i = c.length; --i >= 0; l /= 36) {
                c[i] = Character.forDigit((int) (l % 36), 36);
            }
            return new String(c);
        }

        static synchronized long b() throws InterruptedException {
            b += 3;
            a = b;
            Thread.sleep(1L);
            return b;
        }

        private static void c() throws InterruptedException {
            Thread.sleep(2L);
            b = a + 3;
        }
    }

    private static final ConcurrentHashMap<String, Boolean> d = new ConcurrentHashMap<>();
    private static final AtomicLong b = new AtomicLong();
    private static volatile Throwable c;

    private static void a(int n) {
        try {
            for (int i = 0; c == null; i++) {
                if (i % 10 == n) {
                    a.b();
                }
                String s = a.a();
                if (d.put(s, Boolean.TRUE) != null) {
                    throw new IllegalStateException("twice: " + s);
                }
                if (d.size() > 20_000) {
                    d.clear();
                }
                b.incrementAndGet();
                Thread.sleep(1L + i % 2);
            }
        } catch (Throwable t) {
            c = t;
        }
    }

    public static void main(String[] args) throws Throwable {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 5; i++) {
            int n = i;
            Thread t = new Thread(() -> a(n));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (c != null) {
            throw c;
        }
        System.out.println("DONE " + b);
    }
}
