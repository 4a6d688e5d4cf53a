// Backup jobs share two tape drives, each served in the order of tickets drawn; the one who is served is remembered and checked.
// Each job lets the drive settle by a timed wait on its own object. Obfuscated.
//
// @lock TapeTicket$a
// @type LOCK reentrant=false
// @role lock TapeTicket$a.a
// @role unlock TapeTicket$a.b
//
// @lock TapeTicket$b
// @type DELAY
// @role delay TapeTicket$b.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class TapeTicket {
    static final AtomicLong a = new AtomicLong();
    static volatile String b;

    static class a {
        private long a;
        private long b;
        private Thread c;
        int d;

        synchronized void a() throws InterruptedException {
            if (c == Thread.currentThread()) {
                throw new IllegalStateException();
            }
            long x = a++;
            while (x != b) {
                wait();
            }
            c = Thread.currentThread();
        }

        synchronized void b() {
            if (c != Thread.currentThread()) {
                throw new IllegalStateException();
            }
            c = null;
            b++;
            notifyAll();
        }
    }

    static class b implements Runnable {
        private final a[] a;

        b(a[] x) {
            a = x;
        }

        private void a(long x) throws InterruptedException {
            long y = System.nanoTime() + x * 1_000_000;
            synchronized (this) {
                long z;
                while ((z = y - System.nanoTime()) > 0) {
                    wait(z / 1_000_000, (int) (z % 1_000_000));
                }
            }
        }

        @Override
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (true) {
                    a x = a[r.nextInt(a.length)];
                    x.a();
                    try {
                        int i = x.d;
                        Thread.sleep(2 + r.nextInt(3));
                        x.d = i + 1;
                        if (x.d != i + 1) {
                            TapeTicket.b = "two on a drive";
                        }
                        TapeTicket.a.incrementAndGet();
                    } finally {
                        x.b();
                    }
                    a(4 + r.nextInt(3));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IllegalStateException e) {
                TapeTicket.b = "not mine";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a[] x = {new a(), new a()};
        for (int i = 0; i < 7; i++) {
            Thread t = new Thread(new b(x));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        if (b == null && x[0].d + x[1].d > a.get() + 2) {
            b = "more work than was done";
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
