// Tariffs read and revised; dispatchers wait, on the monitor of the read-write lock, for a newer revision. (obfuscated)
// @lock java.lang.Object#e
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock Mt$a.a
// @role read-unlock Mt$a.b
// @role write-lock Mt$a.c
// @role write-unlock Mt$a.d
// @role wait Mt$a.e
// @role notify Mt$a.f
import java.util.concurrent.atomic.AtomicLong;

public class Mt {
    static final AtomicLong a = new AtomicLong();
    static int b, c;

    static final class a {
        private final Object a = new Object();
        private int b;
        private long c;

        void a() throws InterruptedException {
            synchronized (a) {
                while (b < 0) a.wait();
                b++;
            }
        }

        void b() {
            synchronized (a) {
                if (--b == 0) a.notifyAll();
            }
        }

        void c() throws InterruptedException {
            synchronized (a) {
                while (b != 0) a.wait();
                b = -1;
            }
        }

        void d() {
            synchronized (a) {
                b = 0;
                a.notifyAll();
            }
        }

        long e(long d) throws InterruptedException {
            synchronized (a) {
                while (c == d) a.wait();
                return c;
            }
        }

        void f() {
            synchronized (a) {
                c++;
                a.notifyAll();
            }
        }
    }

    static void a(String a) {
        System.out.println("BROKEN " + a);
        System.exit(1);
    }

    static final class b extends Thread {
        private final a a;
        private final int b;
        private long c;

        b(a a, int b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        private void a() throws InterruptedException {
            a.a();
            try {
                int d = Mt.b;
                sleep(2);
                if (d != Mt.b || d != Mt.c) Mt.a("r");
            } finally {
                a.b();
            }
            sleep(3 + b);
        }

        private void b() throws InterruptedException {
            a.c();
            try {
                Mt.b++;
                sleep(2);
                Mt.c++;
            } finally {
                a.d();
            }
            sleep(5);
            a.f();
            sleep(2);
        }

        private void c() throws InterruptedException {
            long d = a.e(c);
            if (d <= c) Mt.a("w");
            c = d;
            sleep(1);
        }

        @Override public void run() {
            try {
                for (;;) {
                    if (b < 3) a(); else if (b < 5) b(); else c();
                    Mt.a.incrementAndGet();
                }
            } catch (InterruptedException d) {
                Mt.a("i");
            }
        }
    }

    public static void main(String[] d) throws Exception {
        a e = new a();
        for (int f = 0; f < 7; f++) new b(e, f).start();
        System.out.println("READY");
        Thread.sleep((d.length > 0 ? Integer.parseInt(d[0]) : 600) * 1000L);
        System.out.println("DONE " + a.get());
    }
}
