// @lock Ch$a
// @type PRODUCER-CONSUMER
// @role put Ch$a.a
// @role take Ch$a.b

import java.util.concurrent.atomic.AtomicLong;

/** A channel without a buffer: who sends waits until somebody has received. Obfuscated. */
public final class Ch {
    static final class a<T> {
        private b<T> a;

        final void a(T t) throws InterruptedException {
            b<T> b2 = new b<>(t);
            synchronized (this) {
                while (a != null) {
                    wait();
                }
                a = b2;
                notifyAll();
                while (!b2.b) {
                    wait();
                }
            }
        }

        final T b() throws InterruptedException {
            synchronized (this) {
                b<T> b2;
                while ((b2 = a) == null) {
                    wait();
                }
                a = null;
                b2.b = true;
                notifyAll();
                return b2.a;
            }
        }
    }

    static final class b<T> {
        final T a;
        boolean b;

        b(T t) {
            a = t;
        }
    }

    interface c {
        void a() throws InterruptedException;
    }

    private static final AtomicLong c = new AtomicLong();
    private static final AtomicLong d = new AtomicLong();
    private static final AtomicLong e = new AtomicLong();
    private static volatile Throwable f;

    private static void a(c c2) {
        Thread t = new Thread(() -> {
            try {
                while (f == null) {
                    c2.a();
                }
            } catch (Throwable throwable) {
                f = throwable;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a<Long> a1 = new a<>();
        for (int i = 0; i < 3; i++) {
            a(() -> {
                long l = d.incrementAndGet();
                a1.a(l);
                Thread.sleep(1L + l % 4L);
            });
        }
        for (int i = 0; i < 2; i++) {
            a(() -> {
                e.addAndGet(a1.b());
                c.incrementAndGet();
                Thread.sleep(1L + c.get() % 3L);
            });
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        long n = d.get();
        f = new InterruptedException();
        Thread.sleep(100L);
        if (c.get() < n - 5 || c.get() > d.get() || e.get() > d.get() * (d.get() + 1) / 2) {
            throw new IllegalStateException(c + " of " + d + " received");
        }
        System.out.println("DONE " + c);
    }
}
