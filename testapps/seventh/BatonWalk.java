// @lock BatonWalk$a
// @type CONDITION
// @role wait BatonWalk$a.b
// @role notify BatonWalk$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Four walkers, one name on the board: whoever is named goes on and then writes another name. Obfuscated. */
public final class BatonWalk {
    static final class a {
        private String d = "w0";

        void b(String e) throws InterruptedException {
            synchronized (this) {
                while (!e.equals(d)) {
                    wait();
                }
            }
        }

        void c(String f) {
            synchronized (this) {
                d = f;
                notifyAll();
            }
        }
    }

    private static int g;
    private static volatile boolean h;
    private static volatile boolean i;

    private static void j(int k, a l, AtomicIntegerArray m) {
        try {
            while (true) {
                l.b("w" + k);
                if (h) {
                    l.c("w" + (k + 1));
                    return;
                }
                int n = g;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                g = n + 1;
                m.incrementAndGet(k);
                l.c("w" + (k + ThreadLocalRandom.current().nextInt(1, 4)) % 4);
            }
        } catch (InterruptedException o) {
            i = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long p = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a q = new a();
        AtomicIntegerArray r = new AtomicIntegerArray(4);
        for (int s = 0; s < 4; s++) {
            int t = s;
            Thread u = new Thread(() -> j(t, q, r));
            u.setDaemon(true);
            u.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(p * 1000);
        h = true;
        q.b("w4");
        int v = 0;
        for (int w = 0; w < 4; w++) {
            v += r.get(w);
        }
        if (i || v != g) {
            throw new IllegalStateException("two went at once");
        }
        System.out.println("DONE " + g);
    }
}
