// Stock positions read and revalued strictly in order of arrival; movements are appended to one list. (obfuscated)
// @lock Ab$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Ab$a.a
// @role read-unlock Ab$a.b
// @role write-lock Ab$a.c
// @role write-unlock Ab$a.d
//
// @lock Ab$b
// @type MUTEX
// @role enter Ab$b.a
// @role enter Ab$b.b
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

public class Ab {
    static final AtomicLong a = new AtomicLong();

    static class a {
        private int a;
        private int b;
        private int c;

        private void a(int d) throws InterruptedException {
            while (d != b) wait();
        }

        synchronized void a() throws InterruptedException {
            a(a++);
            c++;
            b++;
            notifyAll();
        }

        synchronized void b() {
            if (--c == 0) notifyAll();
        }

        synchronized void c() throws InterruptedException {
            a(a++);
            while (c != 0) wait();
        }

        synchronized void d() {
            b++;
            notifyAll();
        }
    }

    static class b {
        private List<Integer> a = new ArrayList<>();
        private long b;

        synchronized void a(int c) throws InterruptedException {
            a.add(c);
            Thread.sleep(1);
            b += c;
        }

        void b() throws InterruptedException {
            synchronized (this) {
                long c = 0;
                for (int d : a) c += d;
                if (c != b) Ab.a("b");
                Thread.sleep(1);
                a = new ArrayList<>();
                b = 0;
            }
        }
    }

    static class c extends Thread {
        static final int[] a = new int[6];
        final a b;
        final b c;
        final int d;

        c(a b, b c, int d) {
            this.b = b;
            this.c = c;
            this.d = d;
            setDaemon(true);
        }

        void a() throws InterruptedException {
            b.c();
            try {
                int e = a[0] + 1;
                for (int f = 0; f < a.length; f++) {
                    a[f] = e;
                    if (f == 2) sleep(2);
                }
            } finally {
                b.d();
            }
        }

        void b() throws InterruptedException {
            b.a();
            try {
                int e = a[0];
                sleep(2);
                for (int f : a) if (f != e) Ab.a("c");
            } finally {
                b.b();
            }
        }

        @Override public void run() {
            try {
                for (int e = d; ; e++) {
                    if (d < 2) a(); else b();
                    if (e % 40 == 0) c.b(); else c.a(e);
                    Ab.a.incrementAndGet();
                    sleep(3 + d);
                }
            } catch (InterruptedException e) {
                Ab.a("d");
            }
        }
    }

    static void a(String b) {
        System.out.println("BROKEN " + b);
        System.exit(1);
    }

    public static void main(String[] b) throws Exception {
        a c = new a();
        b d = new b();
        for (int e = 0; e < 6; e++) new c(c, d, e).start();
        System.out.println("READY");
        Thread.sleep((b.length > 0 ? Integer.parseInt(b[0]) : 600) * 1000L);
        System.out.println("DONE " + a.get());
    }
}
