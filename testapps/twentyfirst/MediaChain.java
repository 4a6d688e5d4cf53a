// @lock MediaChain$b
// @type PRODUCER-CONSUMER capacity=6
// @role put MediaChain$a.a
// @role take MediaChain$a.b
//
// @lock MediaChain$c
// @type PRODUCER-CONSUMER capacity=1
// @role put MediaChain$c.a
// @role take MediaChain$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class MediaChain {

    static abstract class a {
        abstract boolean c();
        abstract boolean d();
        abstract void e(int[] p0);
        abstract int[] f();

        public final synchronized void a(int[] p0) throws InterruptedException {
            while (!c()) wait();
            e(p0);
            notifyAll();
        }

        public final synchronized int[] b() throws InterruptedException {
            while (!d()) wait();
            int[] v0 = f();
            notifyAll();
            return v0;
        }
    }

    static final class b extends a {
        private final int[][] a = new int[6][];
        private int b, c;

        boolean c() { return a[b] == null; }
        boolean d() { return a[c] != null; }
        void e(int[] p0) { a[b] = p0; b = b == 5 ? 0 : b + 1; }
        int[] f() {
            int[] v0 = a[c];
            a[c] = null;
            c = c == 5 ? 0 : c + 1;
            return v0;
        }
    }

    static final class c {
        private int[] a;
        private final Object b = this;

        void a(int[] p0) {
            synchronized (b) {
                boolean v0 = false;
                while (a != null) {
                    try { b.wait(); } catch (InterruptedException v1) { v0 = true; }
                }
                a = p0;
                b.notifyAll();
                if (v0) Thread.currentThread().interrupt();
            }
        }

        int[] b() {
            synchronized (b) {
                boolean v0 = false;
                while (a == null) {
                    try { b.wait(); } catch (InterruptedException v1) { v0 = true; }
                }
                int[] v2 = a;
                a = null;
                b.notifyAll();
                if (v0) Thread.currentThread().interrupt();
                return v2;
            }
        }
    }

    static final a d = new b();
    static final c e = new c();
    static final AtomicLong f = new AtomicLong(), g = new AtomicLong(), h = new AtomicLong();
    static volatile String i;

    static class d extends Thread {
        final int a;
        d(int a) { this.a = a; setDaemon(true); }

        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (true) {
                    switch (a) {
                        case 0: { // a group of pictures at a time
                            int n = 3 + r.nextInt(14);
                            for (int k = 0; k < n; k++) {
                                int v = r.nextInt(1 << 20);
                                f.addAndGet(v);
                                MediaChain.d.a(new int[] {v, ~v});
                            }
                            Thread.sleep(20 + r.nextInt(30));
                            break;
                        }
                        case 1: {
                            int[] v = MediaChain.d.b();
                            Thread.sleep(1 + r.nextInt(2));
                            e.a(v);
                            break;
                        }
                        default: {
                            int[] v = e.b();
                            if (v[0] != ~v[1]) i = "damaged frame";
                            g.addAndGet(v[0]);
                            if (h.incrementAndGet() % 8 == 0) Thread.sleep(r.nextInt(12));
                        }
                    }
                    if (g.get() > f.get()) i = "more out than in";
                }
            } catch (InterruptedException v0) {
                i = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        int[] k = {0, 0, 1, 1, 2};
        for (int j : k) new d(j).start();
        System.out.println("READY");
        long o = 0;
        while (s-- > 0 && i == null) {
            Thread.sleep(1000);
            o = h.get();
        }
        if (i != null) {
            System.out.println("FAILED " + i);
            System.exit(1);
        }
        System.out.println("DONE " + o);
        System.exit(0);
    }
}
