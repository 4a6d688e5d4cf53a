// @lock Uav$a
// @type LOCK+CONDITION reentrant=false
// @role lock Uav$a.a
// @role unlock Uav$a.b
// @role wait Uav$a.c
// @role notify Uav$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

// ground station: one pilot steers at a time; observers on the same monitor wait for the aircraft to have passed a way-point
public class Uav {

    static class a {
        private Thread a;
        private long b;

        void a() throws InterruptedException {
            synchronized (this) {
                if (a == Thread.currentThread()) throw new IllegalStateException("steers already");
                while (a != null) wait();
                a = Thread.currentThread();
            }
        }

        void b() {
            synchronized (this) {
                if (a != Thread.currentThread()) throw new IllegalStateException("does not steer");
                a = null;
                notifyAll();
            }
        }

        long c(long p) throws InterruptedException {
            synchronized (this) {
                while (b < p) wait();
                return b;
            }
        }

        void d() {
            synchronized (this) {
                b++;
                notifyAll();
            }
        }
    }

    static final a a = new a();
    static final AtomicInteger b = new AtomicInteger();
    static final AtomicLong c = new AtomicLong();
    static volatile String d;

    static class b extends Thread {
        private final int a;

        b(int a) {
            this.a = a;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                long n = 0;
                while (d == null) n = a(n);
            } catch (InterruptedException e) {
                d = "interrupted";
            }
        }

        private long a(long n) throws InterruptedException {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            if (a < 4) {
                Uav.a.a();
                try {
                    if (!b.compareAndSet(0, a + 1)) d = "two pilots";
                    Thread.sleep(2 + r.nextInt(3));
                    if (!b.compareAndSet(a + 1, 0)) d = "pilot replaced";
                } finally {
                    Uav.a.b();
                }
                c.incrementAndGet();
                Thread.sleep(3 + r.nextInt(8));
                return n;
            }
            if (a == 4) {
                Thread.sleep(5 + r.nextInt(5));
                Uav.a.d();
                return n;
            }
            long m = Uav.a.c(n + a - 4);
            if (m < n + a - 4) d = "way-point not reached";
            c.incrementAndGet();
            return m;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 8; i++) new b(i).start();
        System.out.println("READY");
        for (int i = 0; i < n * 10 && d == null; i++) Thread.sleep(100);
        if (d == null) System.out.println("DONE " + c.get());
        else System.out.println("FAILED " + d);
        System.exit(d == null ? 0 : 1);
    }
}
