// A load test that replays traffic: three replayers start each slice together, on a barrier whose generations are
// objects; what they measured goes into one histogram. Names as the obfuscator left them.
//
// @lock LoadReplay$b
// @type BARRIER parties=3
// @role arrive LoadReplay$b.a
//
// @lock LoadReplay$d
// @type MUTEX
// @role enter LoadReplay$d.a
// @role enter LoadReplay$d.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

public class LoadReplay {
    static volatile String o;

    static final class c {
        boolean a;
    }

    static class b {
        private c a = new c();
        private int b;
        private final int c;

        b(int n) {
            c = b = n;
        }

        int a() throws InterruptedException {
            synchronized (this) {
                final c g = a;
                int k = --b;
                if (k == 0) {
                    g.a = true;
                    b = c;
                    a = new c();
                    notifyAll();
                } else {
                    b(g);
                }
                return k;
            }
        }

        private void b(c g) throws InterruptedException {
            while (!g.a)
                wait();
        }
    }

    static class d {
        private final int[] a = new int[8];
        private int b;

        synchronized void a(int v) throws InterruptedException {
            a[v & 7]++;
            Thread.sleep(1);
            b++;
        }

        synchronized int b() {
            int s = 0;
            for (int v : a)
                s += v;
            if (s != b)
                o = "histogram";
            return s;
        }
    }

    static final class e extends Thread {
        private final int a;
        private final b b;
        private final d c;
        private final AtomicIntegerArray d;

        e(int a, b b, d c, AtomicIntegerArray d) {
            this.a = a;
            this.b = b;
            this.c = c;
            this.d = d;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    int n = ThreadLocalRandom.current().nextInt(6);
                    Thread.sleep(n);
                    int m = d.incrementAndGet(a);
                    b.a();
                    for (int i = 0; i < d.length(); i++)
                        if (d.get(i) < m)
                            o = "released early";
                    c.a(n);
                    c.a(n + 1);
                    b.a();
                }
            } catch (InterruptedException x) {
                o = "e" + a;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        b b = new b(3);
        d d = new d();
        AtomicIntegerArray f = new AtomicIntegerArray(3);
        for (int i = 0; i < 3; i++)
            new e(i, b, d, f).start();
        System.out.println("READY");
        long t = System.currentTimeMillis() + s * 1000L;
        int p = 0;
        int idle = 0;
        while (o == null && System.currentTimeMillis() < t) {
            Thread.sleep(300);
            int q = d.b();
            idle = q == p ? idle + 1 : 0;
            if (idle > 25)
                o = "stuck at " + q;
            p = q;
        }
        System.out.println(o == null ? "DONE " + p : "BROKEN " + o);
        System.exit(o == null ? 0 : 1);
    }
}
