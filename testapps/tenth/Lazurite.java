// @lock Lazurite$a
// @type JOIN
// @role join java.lang.Thread.join

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Arrays sorted by halves, a thread for the right half at every level; the waiting is left to the platform. Obfuscated. */
public final class Lazurite {
    static final class a extends Thread {
        private final int[] a;
        private final int b;
        private final int c;

        a(int[] d, int e, int f) {
            a = d;
            b = e;
            c = f;
        }

        @Override
        public void run() {
            try {
                a();
            } catch (InterruptedException d) {
                Lazurite.c = "interrupted";
            }
        }

        void a() throws InterruptedException {
            if (c - b <= 64) {
                Arrays.sort(a, b, c);
                sleep(ThreadLocalRandom.current().nextInt(1, 5));
                return;
            }
            int d = (b + c) >>> 1;
            a e = new a(a, d, c);
            e.start();
            new a(a, b, d).a();
            e.join();
            a(d);
        }

        private void a(int d) {
            int[] e = Arrays.copyOfRange(a, b, d);
            int f = 0;
            int g = d;
            for (int h = b; f < e.length; h++) {
                a[h] = g == c || e[f] <= a[g] ? e[f++] : a[g++];
            }
        }
    }

    private static final AtomicLong b = new AtomicLong();
    private static volatile String c;
    private static volatile boolean d;

    private static void a() {
        try {
            while (!d) {
                int[] e = ThreadLocalRandom.current().ints(256).toArray();
                a f = new a(e, 0, e.length);
                f.start();
                f.join();
                for (int g = 1; g < e.length; g++) {
                    if (e[g - 1] > e[g]) {
                        c = "not sorted";
                    }
                }
                b.incrementAndGet();
            }
        } catch (InterruptedException e) {
            c = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long e = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int f = 0; f < 3; f++) {
            Thread g = new Thread(Lazurite::a);
            g.setDaemon(true);
            g.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(e * 1000);
        d = true;
        if (c != null) {
            throw new IllegalStateException(c);
        }
        System.out.println("DONE " + b);
    }
}
