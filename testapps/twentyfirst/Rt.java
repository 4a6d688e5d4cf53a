// @lock Rt$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Rt$a.a
// @role write-lock Rt$a.b
// @role read-unlock Rt$a.c
// @role write-unlock Rt$a.c
//
// @lock Rt$b
// @type LATCH count=2
// @role count-down Rt$b.a
// @role await Rt$b.b

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

// numbering plan of a telephone network; inspections are confirmed by two offices
public class Rt {
    static class a {
        private long a, b;
        private int c;

        // shared
        synchronized void a() throws InterruptedException {
            long t = a++;
            while (t != b || c < 0) wait();
            b++;
            c++;
            notifyAll();
        }

        // alone
        synchronized void b() throws InterruptedException {
            long t = a++;
            while (t != b || c != 0) wait();
            b++;
            c = -1;
        }

        synchronized void c() {
            if (c < 0) c = 0;
            else c--;
            if (c == 0) notifyAll();
        }
    }

    static class b {
        private static class a {
            a a;
        }
        private a a = new a();
        { a.a = new a(); }

        void a() {
            synchronized (this) {
                if (a == null) return;
                a = a.a;
                if (a == null) notifyAll();
            }
        }

        void b() throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    if (a == null) return;
                    wait();
                }
            }
        }

        synchronized boolean c() {
            return a == null;
        }
    }

    static final a A = new a();
    static final int[] B = new int[2];
    static final AtomicLong C = new AtomicLong();
    static volatile String D;
    static final ConcurrentLinkedQueue<b> E = new ConcurrentLinkedQueue<>(), F = new ConcurrentLinkedQueue<>();

    static void a(int k) throws InterruptedException {
        switch (k) {
            case 0:
            case 1:
                A.b();
                B[0]++;
                Thread.sleep(2);
                B[1]++;
                A.c();
                Thread.sleep(7 + k);
                break;
            case 2:
            case 3:
            case 4:
                A.a();
                int v = B[0];
                Thread.sleep(1 + k % 3);
                if (v != B[1]) D = v + " is not " + B[1];
                A.c();
                Thread.sleep(3 + k);
                break;
            case 5:
            case 6:
                b p = new b();
                E.add(p);
                F.add(p);
                p.b();
                if (!p.c()) D = "not confirmed";
                Thread.sleep(3);
                break;
            default:
                Thread.sleep(k - 3);
                for (b q; (q = (k == 7 ? E : F).poll()) != null;) q.a();
        }
        C.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 9; i++) {
            int k = i;
            Thread t = new Thread(() -> {
                try {
                    while (D == null) a(k);
                } catch (InterruptedException e) {
                    D = "interrupted";
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 10 && D == null; i++) Thread.sleep(100);
        System.out.println(D == null ? "DONE " + C : D);
        System.exit(D == null ? 0 : 1);
    }
}
