// Three shards that close their epochs together: who comes early waits on a cell of his own, the third opens the two cells one by one.
// The epochs are then written to an archive that takes one writer at a time. Obfuscated.
// (Composite: one barrier over the board's monitor and a monitor for each who waits.)
//
// @lock EpochNodes$b
// @type BARRIER parties=3
// @role arrive EpochNodes$b.a
//
// @lock EpochNodes$c
// @type LOCK reentrant=false
// @role lock EpochNodes$c.a
// @role unlock EpochNodes$c.b

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class EpochNodes {
    static final AtomicLong a = new AtomicLong();
    static volatile String b;

    static class a {
        boolean a;
    }

    static class b {
        private final int a;
        private List<a> b = new ArrayList<>();

        b(int x) {
            a = x;
        }

        void a() throws InterruptedException {
            a x = null;
            List<a> y = null;
            synchronized (this) {
                if (b.size() == a - 1) {
                    y = b;
                    b = new ArrayList<>();
                } else {
                    x = new a();
                    b.add(x);
                }
            }
            if (y != null) {
                for (a z : y) {
                    synchronized (z) {
                        z.a = true;
                        z.notify();
                    }
                }
                return;
            }
            synchronized (x) {
                while (!x.a) {
                    x.wait();
                }
            }
        }
    }

    static class c {
        private boolean a;
        private long b;

        synchronized void a() throws InterruptedException {
            while (a) {
                wait();
            }
            a = true;
        }

        synchronized void b() {
            a = false;
            notify();
        }

        void c() throws InterruptedException {
            a();
            try {
                long x = b;
                Thread.sleep(2);
                b = x + 1;
                if (b != x + 1) {
                    EpochNodes.b = "two in the archive";
                }
            } finally {
                b();
            }
        }
    }

    static class d extends Thread {
        private final b a;
        private final c b;
        private final AtomicIntegerArray c;
        private final int d;

        d(b x, c y, AtomicIntegerArray z, int i) {
            a = x;
            b = y;
            c = z;
            d = i;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 1;; i++) {
                    sleep(1 + ThreadLocalRandom.current().nextInt(5));
                    c.set(d, i);
                    a.a();
                    for (int j = 0; j < c.length(); j++) {
                        int x = c.get(j);
                        if (x < i || x > i + 1) {
                            EpochNodes.b = "epoch " + i + " with " + x;
                        }
                    }
                    b.c();
                    EpochNodes.a.incrementAndGet();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        c y = new c();
        for (int i = 0; i < 2; i++) {
            b x = new b(3);
            AtomicIntegerArray z = new AtomicIntegerArray(3);
            for (int j = 0; j < 3; j++) {
                new d(x, y, z, j).start();
            }
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
