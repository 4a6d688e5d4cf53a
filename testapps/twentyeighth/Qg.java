// @lock Qg$a
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put Qg$a.a
// @role take Qg$a.b
// @lock Qg$b
// @type DELAY
// @role delay Qg$b.a
// @lock Qg$c
// @type NOT-SHARED
// @quiet

import java.util.ArrayList;
import java.util.List;

public final class Qg {
    static final class a<T> {
        private T a;
        private boolean b;

        synchronized void a(T c) throws InterruptedException {
            while (b) {
                wait();
            }
            a = c;
            b = true;
            notifyAll();
        }

        synchronized T b() throws InterruptedException {
            while (!b) {
                wait();
            }
            T c = a;
            a = null;
            b = false;
            notifyAll();
            return c;
        }
    }

    static final class b {
        private final int a;

        b(int a) {
            this.a = a;
        }

        void a() throws InterruptedException {
            long b = System.nanoTime();
            synchronized (this) {
                for (long c = a; c > 0; c = a - (System.nanoTime() - b) / 1000000L) {
                    wait(c);
                }
            }
        }
    }

    static final class c {
        private final List<int[]> a = new ArrayList<>();
        private int b;

        synchronized void a(int[] c) {
            a.add(c);
            b += c[1];
        }

        synchronized int b() {
            int c = b;
            if (a.size() > 50) {
                a.clear();
                b = 0;
            }
            return c;
        }
    }

    private static final b d = new b(25);
    private static volatile String e;
    private static volatile boolean f;

    private static void a(a<int[]> g, int h) {
        try {
            for (int i = 1; !f; i++) {
                if (i % 3 == 0) {
                    d.a();
                }
                g.a(new int[] {h, i});
            }
            g.a(new int[] {h, -1});
        } catch (InterruptedException i) {
            e = "put";
        }
    }

    private static int a(a<int[]> g) {
        int[] h = new int[3];
        int i = 0;
        c j = new c();
        try {
            for (int k = 0; k < 3;) {
                int[] l = g.b();
                if (l[1] < 0) {
                    k++;
                    continue;
                }
                if (l[1] != ++h[l[0]]) {
                    e = "lost " + h[l[0]];
                }
                j.a(l);
                if (j.b() <= 0) {
                    e = "sum";
                }
                i++;
                Thread.sleep(2);
            }
        } catch (InterruptedException k) {
            e = "take";
        }
        return i;
    }

    public static void main(String[] args) throws InterruptedException {
        long g = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a<int[]> h = new a<>();
        int[] i = new int[1];
        Thread j = new Thread(() -> i[0] = a(h));
        j.setDaemon(true);
        j.start();
        for (int k = 0; k < 3; k++) {
            int l = k;
            Thread m = new Thread(() -> a(h, l));
            m.setDaemon(true);
            m.start();
        }
        System.out.println("READY");
        Thread.sleep(g * 1000);
        f = true;
        j.join(20_000);
        if (e != null || j.isAlive()) {
            System.out.println(e + " " + j.isAlive());
            System.exit(1);
        }
        System.out.println("DONE " + i[0]);
    }
}
