// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Wz$a.b
// @role take Wz$c.run
//
// @lock Wz$d
// @type LATCH count=1 form=future
// @role await Wz$d.e
// @role count-down Wz$d.run

import java.util.LinkedList;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/** A thread pool written at home, with tasks one can ask for their result. Obfuscated. */
public final class Wz {
    static final class a {
        final LinkedList<Runnable> a = new LinkedList<>();

        a(int f) {
            while (f-- > 0) {
                c g = new c(a);
                g.setDaemon(true);
                g.start();
            }
        }

        <T> d<T> b(Callable<T> f) {
            d<T> g = new d<>(f);
            synchronized (a) {
                a.add(g);
                a.notify();
            }
            return g;
        }
    }

    static final class c extends Thread {
        private final LinkedList<Runnable> b;

        c(LinkedList<Runnable> f) {
            b = f;
        }

        @Override
        public void run() {
            Runnable f;
            while (true) {
                synchronized (b) {
                    while (b.isEmpty()) {
                        try {
                            b.wait();
                        } catch (InterruptedException g) {
                            return;
                        }
                    }
                    f = b.removeFirst();
                }
                f.run();
            }
        }
    }

    static final class d<T> implements Runnable {
        private final Callable<T> b;
        private T c;
        private Exception f;
        private boolean g;

        d(Callable<T> h) {
            b = h;
        }

        @Override
        public void run() {
            T h = null;
            Exception i = null;
            try {
                h = b.call();
            } catch (Exception j) {
                i = j;
            }
            synchronized (this) {
                c = h;
                f = i;
                g = true;
                notifyAll();
            }
        }

        T e() throws Exception {
            synchronized (this) {
                while (!g) {
                    wait();
                }
                if (f != null) {
                    throw f;
                }
                return c;
            }
        }
    }

    static final AtomicLong h = new AtomicLong();
    static final AtomicLong i = new AtomicLong();

    static void j(a k, int l) {
        try {
            for (int m = 0;; m++) {
                int n = m * 10 + l;
                d<Integer> o = k.b(() -> p(n));
                d<Integer> q = k.b(() -> p(n + 1));
                if (o.e() + q.e() != 4 * n + 2) {
                    i.incrementAndGet();
                }
                h.addAndGet(2);
                Thread.sleep(1 + n % 7);
            }
        } catch (Exception r) {
            i.incrementAndGet();
        }
    }

    static int p(int k) throws InterruptedException {
        Thread.sleep(1 + k % 3);
        return k * 2;
    }

    public static void main(String[] args) throws InterruptedException {
        long s = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a k = new a(4);
        for (int t = 0; t < 4; t++) {
            int l = t;
            Thread u = new Thread(() -> j(k, l));
            u.setDaemon(true);
            u.start();
        }
        System.out.println("READY");
        Thread.sleep(s * 1000);
        if (i.get() > 0) {
            throw new IllegalStateException(i + " wrong results");
        }
        System.out.println("DONE " + h);
    }
}
