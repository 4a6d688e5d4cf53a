// @lock Pw$b
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Pw$b.a
// @role take Pw$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Pw {
    static final class a<T> {
        T a;
        a<T> b;
    }

    static final class b<T> {
        private a<T> c = new a<>();
        private a<T> d = c;

        void a(T e) {
            a<T> f = new a<>();
            f.a = e;
            synchronized (this) {
                d.b = f;
                d = f;
                notify();
            }
        }

        T b() throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    a<T> f = c.b;
                    if (f != null) {
                        c = f;
                        T e = f.a;
                        f.a = null;
                        return e;
                    }
                    wait();
                }
            }
        }
    }

    private static volatile boolean g;

    public static void main(String[] args) throws InterruptedException {
        long h = args.length > 0 ? Long.parseLong(args[0]) : 600;
        b<int[]> i = new b<>();
        AtomicLong j = new AtomicLong();
        AtomicLong k = new AtomicLong();
        Thread[] l = new Thread[3];
        Thread[] m = new Thread[3];
        for (int n = 0; n < 3; n++) {
            l[n] = new Thread(() -> {
                try {
                    while (!g) {
                        for (int o = ThreadLocalRandom.current().nextInt(3); o >= 0; o--) {
                            i.a(new int[] {o});
                            j.incrementAndGet();
                        }
                        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 15));
                    }
                } catch (InterruptedException p) {
                    g = true;
                }
            });
            m[n] = new Thread(() -> {
                try {
                    while (i.b()[0] >= 0) {
                        k.incrementAndGet();
                        Thread.sleep(1);
                    }
                } catch (InterruptedException p) {
                    g = true;
                }
            });
            l[n].setDaemon(true);
            m[n].setDaemon(true);
            l[n].start();
            m[n].start();
        }
        System.out.println("READY");
        Thread.sleep(h * 1000);
        g = true;
        for (Thread q : l) {
            q.join(5_000);
        }
        for (Thread q : m) {
            i.a(new int[] {-1});
        }
        for (Thread q : m) {
            q.join(5_000);
        }
        if (j.get() != k.get()) {
            throw new IllegalStateException(j + " " + k);
        }
        System.out.println("DONE " + k);
    }
}
