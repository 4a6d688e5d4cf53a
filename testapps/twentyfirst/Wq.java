// @lock Wq$c
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Wq$c.a
// @role read-unlock Wq$c.b
// @role write-lock Wq$c.c
// @role write-unlock Wq$c.d

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

// Warehouse map: pickers look things up, planners move shelves; strictly in order of arrival, each waiter on a monitor of his own.
public class Wq {

    static final class a {
        final boolean a;
        boolean b;

        a(boolean a) {
            this.a = a;
        }
    }

    static final class c {
        private final ArrayDeque<a> a = new ArrayDeque<>();
        private int b; // > 0: readers, -1: a writer

        void a() throws InterruptedException {
            a n;
            synchronized (this) {
                if (b >= 0 && a.isEmpty()) {
                    b++;
                    return;
                }
                n = new a(false);
                a.addLast(n);
            }
            synchronized (n) {
                while (!n.b) {
                    n.wait();
                }
            }
        }

        void b() {
            synchronized (this) {
                b--;
                e();
            }
        }

        void c() throws InterruptedException {
            a n;
            synchronized (this) {
                if (b == 0 && a.isEmpty()) {
                    b = -1;
                    return;
                }
                n = new a(true);
                a.addLast(n);
            }
            synchronized (n) {
                while (!n.b) {
                    n.wait();
                }
            }
        }

        void d() {
            synchronized (this) {
                b = 0;
                e();
            }
        }

        private void e() {
            while (!a.isEmpty()) {
                a n = a.peekFirst();
                if (n.a ? b != 0 : b < 0) {
                    return;
                }
                b = n.a ? -1 : b + 1;
                a.removeFirst();
                synchronized (n) {
                    n.b = true;
                    n.notify();
                }
            }
        }
    }

    static final c a = new c();
    static final int[] b = new int[10];
    static final AtomicLong c = new AtomicLong();
    static volatile String d;

    static class d extends Thread {
        final boolean a;

        d(boolean a) {
            this.a = a;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (d == null) {
                    if (a) {
                        Wq.a.c();
                        int i = r.nextInt(10), j = r.nextInt(10);
                        b[i]--;
                        Thread.sleep(1 + r.nextInt(3));
                        b[j]++;
                        Wq.a.d();
                    } else {
                        Wq.a.a();
                        Thread.sleep(1 + r.nextInt(4));
                        int s = 0;
                        for (int v : b) {
                            s += v;
                        }
                        if (s != 0) {
                            d = "a shelf is on its way: " + s;
                        }
                        Wq.a.b();
                    }
                    c.incrementAndGet();
                    Thread.sleep(3 + r.nextInt(7));
                }
            } catch (InterruptedException e) {
                d = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            new d(i % 3 == 0).start();
        }
        System.out.println("READY");
        for (int i = 0; i < s * 20 && d == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(d == null ? "DONE " + c : d);
        System.exit(d == null ? 0 : 1);
    }
}
