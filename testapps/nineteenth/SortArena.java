// Memory for sorts: ten pages, of which each sort reserves one to four at once; the monitor of the arena is also that of
// the spill ledger, which the sorts write when they are done and an accountant reads. Obfuscated.
//
// @lock SortArena$a
// @type SEMAPHORE+MUTEX permits=10
// @role acquire SortArena$a.a
// @role release SortArena$a.b
// @role enter SortArena$b.a
// @role enter SortArena$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class SortArena {
    static final AtomicLong a = new AtomicLong();
    static final AtomicInteger c = new AtomicInteger();
    static volatile String b;

    static class a {
        private int a = (1 << 10) - 1;

        int a(int x) throws InterruptedException {
            synchronized (this) {
                while (Integer.bitCount(a) < x) {
                    wait();
                }
                int y = 0;
                for (int i = 0; i < x; i++) {
                    y |= Integer.lowestOneBit(a);
                    a &= a - 1;
                }
                return y;
            }
        }

        void b(int x) {
            synchronized (this) {
                if ((a & x) != 0) {
                    SortArena.b = "page freed twice";
                }
                a |= x;
                notifyAll();
            }
        }
    }

    static class b {
        private final a a;
        private long b;
        private long c;

        b(a x) {
            a = x;
        }

        void a(int x) throws InterruptedException {
            synchronized (a) {
                long y = b;
                Thread.sleep(1);
                b = y + x;
                c -= x;
            }
        }

        long b() throws InterruptedException {
            synchronized (a) {
                Thread.sleep(1);
                if (b + c != 0) {
                    SortArena.b = "ledger off by " + (b + c);
                }
                return b;
            }
        }
    }

    static class c extends Thread {
        private final a a;
        private final b b;
        private final boolean c;

        c(a x, b y, boolean z) {
            a = x;
            b = y;
            c = z;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (true) {
                    if (c) {
                        b.b();
                        sleep(7);
                        continue;
                    }
                    int n = 1 + r.nextInt(4);
                    int x = a.a(n);
                    if (SortArena.c.addAndGet(n) > 10) {
                        SortArena.b = "arena overdrawn";
                    }
                    sleep(4 + r.nextInt(8));
                    SortArena.c.addAndGet(-n);
                    a.b(x);
                    if (r.nextInt(3) == 0) {
                        b.a(n);
                    }
                    SortArena.a.incrementAndGet();
                    sleep(1 + r.nextInt(3));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a x = new a();
        b y = new b(x);
        for (int i = 0; i < 8; i++) {
            new c(x, y, i == 7).start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
