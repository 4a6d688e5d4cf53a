// A ledger entered in turn: whoever finds it owned leaves a node behind the others and waits on that node until the
// owner before hands the lock over. Totals per branch are kept elsewhere. Names as the obfuscator left them.
//
// @lock LedgerTurn$a
// @type LOCK reentrant=true
// @role lock LedgerTurn$a.a
// @role unlock LedgerTurn$a.b
//
// @lock LedgerTurn$c
// @type MUTEX
// @role enter LedgerTurn$c.a
// @role enter LedgerTurn$c.b

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class LedgerTurn {
    static volatile String z;
    static final AtomicLong y = new AtomicLong();

    static final class b {
        final Thread a = Thread.currentThread();
        private boolean b;

        void a() throws InterruptedException {
            while (!b)
                wait();
        }

        void b() {
            b = true;
            notify();
        }
    }

    static final class a {
        private final LinkedList<b> a = new LinkedList<>();
        private Thread b;
        private int c;

        void a() throws InterruptedException {
            b n = null;
            synchronized (this) {
                Thread t = Thread.currentThread();
                if (b == null) {
                    b = t;
                    c = 1;
                } else if (b == t) {
                    c++;
                } else {
                    n = new b();
                    a.addLast(n);
                }
            }
            if (n != null) {
                synchronized (n) {
                    n.a();
                }
            }
        }

        synchronized void b() {
            if (b != Thread.currentThread())
                throw new IllegalMonitorStateException();
            if (--c > 0)
                return;
            if (a.isEmpty()) {
                b = null;
                return;
            }
            b n = a.removeFirst();
            b = n.a;
            c = 1;
            synchronized (n) {
                n.b();
            }
        }
    }

    static final class c {
        private final long[] a = new long[4];
        private long b;

        synchronized void a(int i, int v) throws InterruptedException {
            a[i] += v;
            Thread.sleep(1);
            b += v;
        }

        synchronized boolean b() {
            long s = 0;
            for (long v : a)
                s += v;
            return s == b;
        }
    }

    static final List<Integer> d = new ArrayList<>();

    static int e(a a) throws InterruptedException {
        a.a();
        try {
            int s = 0;
            for (int v : d)
                s += v;
            return s;
        } finally {
            a.b();
        }
    }

    static void f(a a, int v) throws InterruptedException {
        a.a();
        try {
            int s = e(a);
            d.add(v);
            Thread.sleep(1);
            if (e(a) != s + v)
                z = "somebody else wrote";
            if (d.size() > 40)
                d.clear();
        } finally {
            a.b();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final a a = new a();
        final c c = new c();
        for (int i = 0; i < 4; i++) {
            final int k = i;
            Thread t = new Thread() {
                @Override
                public void run() {
                    try {
                        for (;;) {
                            int v = ThreadLocalRandom.current().nextInt(1, 90);
                            f(a, v);
                            c.a(k, v);
                            if (!c.b())
                                z = "totals";
                            y.incrementAndGet();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                        }
                    } catch (InterruptedException | RuntimeException x) {
                        z = x.toString();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long e = System.nanoTime() + n * 1_000_000_000L, l = -1;
        int idle = 0;
        while (z == null && System.nanoTime() < e) {
            Thread.sleep(300);
            idle = l == y.get() ? idle + 1 : 0;
            if (idle > 25)
                z = "nobody enters";
            l = y.get();
        }
        if (z != null) {
            System.out.println("BROKEN " + z);
            System.exit(1);
        }
        System.out.println("DONE " + l);
    }
}
