// @lock Ky$a
// @type LATCH count=5
// @role count-down Ky$a.a
// @role await Ky$a.b
// @role await Ky$a.c
//
// @lock Ky$b
// @type JOIN
// @role join Ky$c.a

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicLong;

// Assembling a document from five parts: readiness of the parts is a bit mask, helpers are threads awaited until they are dead.
public class Ky {

    static final class a {
        private int a = 0x1f;

        void a(int p0) {
            synchronized (this) {
                a &= ~(1 << p0);
                if (a != 0) return;
                notifyAll();
            }
        }

        void b() throws InterruptedException {
            synchronized (this) {
                while (a != 0) {
                    wait();
                }
            }
        }

        boolean c(long p0) throws InterruptedException {
            long v0 = System.nanoTime() / 1000000L + p0;
            synchronized (this) {
                while (a != 0) {
                    long v1 = v0 - System.nanoTime() / 1000000L;
                    if (v1 <= 0) return false;
                    wait(v1);
                }
                return true;
            }
        }
    }

    static final class b extends Thread {
        final int a;
        int b;

        b(int p0) {
            a = p0;
            setDaemon(true);
        }

        public void run() {
            int v0 = 0;
            for (int i = 0; i < 4; i++) {
                v0 = v0 * 31 + a;
                try {
                    Thread.sleep(1);
                } catch (InterruptedException v1) {
                    return;
                }
            }
            b = v0;
        }
    }

    static final class c {
        int a(b p0) throws InterruptedException {
            synchronized (p0) {
                while (p0.isAlive()) {
                    p0.wait(1000L);
                }
            }
            return p0.b;
        }
    }

    static final class d {
        final a a = new a();
        final int[] b = new int[5];
    }

    static final LinkedTransferQueue<Object[]> a = new LinkedTransferQueue<>();
    static final AtomicLong b = new AtomicLong();
    static volatile String c;

    static final class e extends Thread {
        final int a;

        e(int p0) {
            a = p0;
            setDaemon(true);
        }

        private static int g(b p0) throws InterruptedException {
            return new c().a(p0);
        }

        public void run() {
            try {
                for (int i = 1; c == null; i++) {
                    switch (a) {
                        case 0: // author
                        case 1: {
                            d v0 = new d();
                            if (a == 0) new f(v0).start();
                            for (int j = 0; j < 5; j++) Ky.a.add(new Object[] {v0, j});
                            v0.a.b();
                            for (int j : v0.b) if (j == 0) c = "part missing";
                            b.incrementAndGet();
                            Thread.sleep(2);
                            break;
                        }
                        case 2: // appendix
                            b v1 = new b(i), v2 = new b(i + 1);
                            v1.start();
                            v2.start();
                            if (g(v1) == 0 || g(v2) == 0) Ky.c = "helper not finished";
                            Thread.sleep(2);
                            break;
                        default: { // parts
                            Object[] v3 = Ky.a.take();
                            d v4 = (d) v3[0];
                            int v5 = (Integer) v3[1];
                            Thread.sleep(1 + v5 % 3);
                            v4.b[v5] = 1;
                            v4.a.a(v5);
                        }
                    }
                }
            } catch (InterruptedException v0) {
                c = "interrupted";
            }
        }
    }

    static final class f extends Thread {
        final d a;

        f(d p0) {
            a = p0;
            setDaemon(true);
        }

        public void run() {
            try {
                while (!a.a.c(200)) Thread.yield();
            } catch (InterruptedException v0) {
                c = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) new e(i).start();
        System.out.println("READY");
        for (int i = 0; i < n * 10 && c == null; i++) Thread.sleep(100);
        System.out.println(c == null ? "DONE " + b : c);
        System.exit(c == null && b.get() > 0 ? 0 : 1);
    }
}
