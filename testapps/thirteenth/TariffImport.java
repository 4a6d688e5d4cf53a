// Call records decoded by short-lived threads and pushed through a ring of five to a rating thread; shipped obfuscated.
//
// @lock TariffImport$a
// @type PRODUCER-CONSUMER capacity=5
// @role put TariffImport$a.a
// @role take TariffImport$a.b
//
// @lock TariffImport$c
// @type JOIN
// @role join TariffImport.b

import java.util.concurrent.atomic.AtomicLong;

public class TariffImport {
    static volatile String z;
    static final AtomicLong y = new AtomicLong();

    static final class a {
        private final long[] a = new long[5];
        private int b, c;

        void a(long v) throws InterruptedException {
            synchronized (this) {
                while (c == a.length)
                    wait();
                a[(b + c) % a.length] = v;
                if (c++ == 0)
                    notifyAll();
            }
        }

        long b() throws InterruptedException {
            synchronized (this) {
                while (c == 0)
                    wait();
                long v = a[b];
                b = (b + 1) % a.length;
                if (c-- == a.length)
                    notifyAll();
                return v;
            }
        }
    }

    static final class c extends Thread {
        private final a a;
        private final long b;
        volatile long c;

        c(a a, long b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                long s = 0;
                for (int i = 1; i <= 4; i++) {
                    Thread.sleep(1);
                    long v = b * 10 + i;
                    a.a(v);
                    s += v;
                }
                c = s;
            } catch (InterruptedException e) {
                z = "c";
            }
        }
    }

    static void b(c t) throws InterruptedException {
        synchronized (t) {
            while (t.isAlive())
                t.wait();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final a q = new a();
        final AtomicLong in = new AtomicLong();
        final AtomicLong out = new AtomicLong();
        Thread d = new Thread() {
            @Override
            public void run() {
                try {
                    for (long n = 1;; n++) {
                        out.addAndGet(q.b());
                        y.incrementAndGet();
                        if (n % 40 >= 20)
                            Thread.sleep(2);
                    }
                } catch (InterruptedException e) {
                    z = "d";
                }
            }
        };
        d.setDaemon(true);
        d.start();
        for (int i = 0; i < 2; i++) {
            final int k = i;
            Thread e = new Thread() {
                @Override
                public void run() {
                    try {
                        for (long n = 1;; n++) {
                            c[] x = {new c(q, n * 3), new c(q, n * 3 + 1)};
                            for (c t : x)
                                t.start();
                            for (c t : x) {
                                b(t);
                                if (t.isAlive() || t.c != 40 * t.b + 10)
                                    z = "e" + k;
                                in.addAndGet(4);
                            }
                            if (n % 8 == 0)
                                Thread.sleep(25);
                        }
                    } catch (InterruptedException e) {
                        z = "i";
                    }
                }
            };
            e.setDaemon(true);
            e.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + s * 1_000_000_000L;
        while (System.nanoTime() < end && z == null) {
            Thread.sleep(30);
            // what ended decoders have put is rated, but for five records in the ring and one in hand
            if (in.get() > y.get() + 6 || out.get() < 0)
                z = "records lost";
        }
        if (y.get() == 0)
            z = "nothing rated";
        if (z != null) {
            System.out.println("BROKEN " + z);
            System.exit(1);
        }
        System.out.println("DONE " + y.get());
    }
}
