// Calls to a credit agency are limited by tokens that a timer adds; the log of calls is one static lock away. (obfuscated)
// @lock Kv$a
// @type SEMAPHORE form=rate-limiter
// @role acquire Kv$a.a
// @role release Kv$a.b
//
// @lock java.lang.Object#c
// @type MUTEX
// @role enter Kv$b.c
// @role enter Kv$b.d
import java.util.concurrent.atomic.AtomicLong;

public class Kv {
    static final AtomicLong c = new AtomicLong();

    static final class a {
        private final int a;
        private int b;
        private long c;
        private long d;

        a(int e) {
            a = e;
        }

        synchronized void a(int e) throws InterruptedException {
            while (b < e) wait();
            b -= e;
            c += e;
            if (c > d) Kv.a("a");
        }

        synchronized void b(int e) {
            int f = Math.min(e, a - b);
            if (f <= 0) return;
            b += f;
            d += f;
            notifyAll();
        }
    }

    static final class b {
        private static final Object a = new Object();
        private static final StringBuilder b = new StringBuilder();
        private static int c;

        static void c(String d) throws InterruptedException {
            synchronized (a) {
                b.append(d);
                Thread.sleep(1);
                b.append('\n');
                c++;
            }
        }

        static void d() throws InterruptedException {
            synchronized (a) {
                int d = 0;
                for (int e = 0; e < b.length(); e++) if (b.charAt(e) == '\n') d++;
                if (d != c) Kv.a("d");
                Thread.sleep(2);
                b.setLength(0);
                c = 0;
            }
        }
    }

    static final class d extends Thread {
        private final a a;
        private final int b;

        d(a a, int b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        private void a() throws InterruptedException {
            switch (b) {
                case 0:
                    sleep(4);
                    a.b(3);
                    break;
                case 1:
                    sleep(10);
                    Kv.b.d();
                    break;
                default:
                    a.a(b % 3 == 0 ? 2 : 1);
                    Kv.b.c("d" + b);
                    sleep(1);
                    c.incrementAndGet();
            }
        }

        @Override public void run() {
            try {
                for (;;) a();
            } catch (InterruptedException e) {
                Kv.a("i");
            }
        }
    }

    static void a(String b) {
        System.out.println("BROKEN " + b);
        System.exit(1);
    }

    public static void main(String[] a) throws Exception {
        a e = new a(6);
        for (int f = 0; f < 8; f++) new d(e, f).start();
        System.out.println("READY");
        Thread.sleep((a.length > 0 ? Integer.parseInt(a[0]) : 600) * 1000L);
        System.out.println("DONE " + c.get());
    }
}
