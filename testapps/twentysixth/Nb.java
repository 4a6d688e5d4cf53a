// @lock Nb$a
// @type LOCK reentrant=false
// @role lock Nb$a.a
// @role unlock Nb$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The bus of a name server: who wants it puts himself at the end of a chain and waits for the one before him. */
public class Nb {

    static final class c {
        boolean a = true;
    }

    static final class a {
        private c a;
        private c b;

        void a() throws InterruptedException {
            c d = new c();
            c e;
            synchronized (this) {
                e = a;
                a = d;
            }
            if (e != null) {
                synchronized (e) {
                    while (e.a) {
                        e.wait();
                    }
                }
            }
            b = d;
        }

        void b() {
            c d = b;
            synchronized (d) {
                d.a = false;
                d.notify();
            }
        }
    }

    static volatile String d;
    static final AtomicLong e = new AtomicLong();
    static final a[] f = {new a(), new a()};
    static final int[] g = new int[2];
    static final int[] h = new int[2];

    static final class i extends Thread {
        i(int j) {
            super("i" + j);
            setDaemon(true);
        }

        private void a(int j) throws InterruptedException {
            f[j].a();
            try {
                g[j]++;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                h[j]++;
                if (g[j] != h[j]) {
                    d = "two inside " + j;
                }
            } finally {
                f[j].b();
            }
        }

        @Override public void run() {
            try {
                while (true) {
                    a(ThreadLocalRandom.current().nextInt(2));
                    e.incrementAndGet();
                    Thread.sleep(1);
                }
            } catch (InterruptedException j) {
                d = getName() + " interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int j = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int k = 0; k < 6; k++) {
            new i(k).start();
        }
        System.out.println("READY");
        long k = System.currentTimeMillis() + j * 1000L;
        while (System.currentTimeMillis() < k && d == null) {
            Thread.sleep(50);
        }
        System.out.println(d == null ? "DONE " + e.get() : "FAULT " + d);
        System.exit(d == null ? 0 : 1);
    }
}
