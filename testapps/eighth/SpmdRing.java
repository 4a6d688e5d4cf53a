// @lock SpmdRing$c
// @type BARRIER parties=5
// @role arrive SpmdRing$c.d

/**
 * A parallel program brought over from C: five ranks pass values round a ring. The barrier fills and drains, and
 * nobody comes in while it drains. Obfuscated.
 */
public final class SpmdRing {
    static final class c {
        private final int a = 5;
        private int b;
        private boolean e;

        synchronized void d() throws InterruptedException {
            while (e) {
                wait();
            }
            if (++b == a) {
                e = true;
                notifyAll();
            } else {
                while (!e) {
                    wait();
                }
            }
            if (--b == 0) {
                e = false;
                notifyAll();
            }
        }
    }

    static final int[][] a = new int[2][5];
    static final c b = new c();
    static volatile boolean d;
    static volatile int e;
    static volatile long f;

    static void g(int h) {
        try {
            for (int i = 0; ; i ^= 1) {
                int j = a[i][(h + 4) % 5];
                Thread.sleep((h + j) % 4);
                a[i ^ 1][h] = j + 1;
                b.d();
                if (h == 0) {
                    f++;
                    d = System.nanoTime() - k > 0;
                }
                int l = a[i ^ 1][h];
                if (a[i ^ 1][(h + 1) % 5] != l) {
                    e++;
                }
                b.d();
                if (d) {
                    return;
                }
            }
        } catch (InterruptedException m) {
            e++;
        }
    }

    static long k;

    public static void main(String[] h) throws InterruptedException {
        k = System.nanoTime() + 1000000000L * (h.length > 0 ? Long.parseLong(h[0]) : 600);
        Thread[] i = new Thread[5];
        for (int j = 0; j < 5; j++) {
            int l = j;
            i[j] = new Thread(() -> g(l));
        }
        for (Thread j : i) {
            j.start();
        }
        System.out.println("READY");
        System.out.flush();
        for (Thread j : i) {
            j.join();
        }
        if (e != 0) {
            throw new IllegalStateException("the ring is broken");
        }
        System.out.println("DONE " + f);
    }
}
