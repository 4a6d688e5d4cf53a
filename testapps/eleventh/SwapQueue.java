// @lock SwapQueue$a
// @type PRODUCER-CONSUMER
// @role put SwapQueue$b.a
// @role take SwapQueue$b.b

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A queue with two buffers: those who put fill one, those who take empty the other, and exchange both when theirs is empty. Obfuscated. */
public final class SwapQueue {
    static final class a<T> {
        ArrayDeque<T> a = new ArrayDeque<>();
    }

    static final class b<T> {
        private final a<T> a = new a<>();
        private final a<T> b = new a<>();

        void a(T c) throws InterruptedException {
            synchronized (a) {
                while (a.a.size() >= 12) {
                    a.wait();
                }
                a.a.addLast(c);
                if (a.a.size() == 1) {
                    a.notifyAll();
                }
            }
        }

        T b() throws InterruptedException {
            synchronized (b) {
                if (b.a.isEmpty()) {
                    c();
                }
                return b.a.removeFirst();
            }
        }

        private void c() throws InterruptedException {
            synchronized (a) {
                while (a.a.isEmpty()) {
                    a.wait();
                }
                ArrayDeque<T> c = a.a;
                a.a = b.a;
                b.a = c;
                a.notifyAll();
            }
        }
    }

    private static final AtomicLong c = new AtomicLong();
    private static final AtomicLong d = new AtomicLong();
    private static volatile boolean e;

    static final class f extends Thread {
        private final b<Long> a;
        private final boolean b;

        f(b<Long> g, boolean h) {
            a = g;
            b = h;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!e) {
                    if (b) {
                        a();
                    } else {
                        b();
                    }
                }
            } catch (InterruptedException g) {
                interrupt();
            }
        }

        private void a() throws InterruptedException {
            int g = ThreadLocalRandom.current().nextInt(1, 14);
            for (int h = 0; h < g; h++) {
                long i = ThreadLocalRandom.current().nextLong(1000);
                c.addAndGet(i + 1);
                a.a(i);
            }
            sleep(ThreadLocalRandom.current().nextInt(3, 9));
        }

        private void b() throws InterruptedException {
            d.addAndGet(a.b() + 1);
            if (ThreadLocalRandom.current().nextInt(3) == 0) {
                sleep(ThreadLocalRandom.current().nextInt(1, 3));
            }
        }
    }

    public static void main(String[] g) throws InterruptedException {
        long h = g.length > 0 ? Long.parseLong(g[0]) : 600;
        b<Long> i = new b<>();
        for (int j = 0; j < 9; j++) {
            new f(i, j < 5).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(h * 1000);
        long j = d.get();
        long k = c.get();
        if (e || j > k || k - j > 40 * 1000) {
            throw new IllegalStateException("put " + k + ", taken " + j);
        }
        System.out.println("DONE " + j);
    }
}
