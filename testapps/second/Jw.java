// @lock java.lang.Thread#c
// @type JOIN
// @role join Jw.c

/** Helpers are started, and waited for with a time limit. Obfuscated. */
public class Jw implements Runnable {
    private final int a;
    private volatile int b;

    Jw(int a) {
        this.a = a;
    }

    static boolean c(Thread d, long e) throws InterruptedException {
        long f = System.currentTimeMillis() + e;
        synchronized (d) {
            for (;;) {
                if (!d.isAlive()) {
                    return true;
                }
                long g = f - System.currentTimeMillis();
                if (g <= 0) {
                    return false;
                }
                d.wait(g);
            }
        }
    }

    @Override
    public void run() {
        int h = a;
        for (int i = 0; i < 30000; i++) {
            h ^= h << 13;
            h ^= h >>> 17;
            h ^= h << 5;
        }
        try {
            Thread.sleep(2 + (h & 3));
        } catch (InterruptedException i) {
            return;
        }
        b = h | 1;
    }

    private static volatile boolean j;
    private static volatile String k;
    private static final int[] l = new int[2];

    static void m(int n) {
        try {
            for (int o = n + 1; !j; o++) {
                Jw p = new Jw(o);
                Thread q = new Thread(p);
                q.start();
                if (!c(q, 60000)) {
                    k = "took too long";
                }
                if (p.b == 0) {
                    k = "not finished";
                }
                l[n]++;
            }
        } catch (InterruptedException r) {
            k = r.toString();
        }
    }

    public static void main(String[] s) throws InterruptedException {
        long t = s.length > 0 ? Long.parseLong(s[0]) : 600;
        for (int u = 0; u < 2; u++) {
            final int v = u;
            new Thread(() -> m(v)).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(t * 1000);
        j = true;
        Thread.sleep(50);
        if (k != null) {
            System.out.println(k);
            System.exit(1);
        }
        System.out.println("DONE " + (l[0] + l[1]));
    }
}
