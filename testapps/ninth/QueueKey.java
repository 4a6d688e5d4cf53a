// @lock QueueKey$c
// @type LOCK
// @role lock QueueKey$c.a
// @role unlock QueueKey$c.b

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The key to an archive: whoever wants it joins a list of threads, and the head of the list has it. Obfuscated. */
public final class QueueKey {
    static class c {
        private final LinkedList<Thread> d = new LinkedList<>();

        void a() {
            Thread e = Thread.currentThread();
            boolean f = false;
            synchronized (d()) {
                d.addLast(e);
                while (d.getFirst() != e) {
                    try {
                        d().wait();
                    } catch (InterruptedException g) {
                        f = true;
                    }
                }
            }
            if (f) {
                e.interrupt();
            }
        }

        void b() {
            synchronized (d()) {
                if (d.removeFirst() != Thread.currentThread()) {
                    throw new IllegalMonitorStateException();
                }
                d().notifyAll();
            }
        }

        private Object d() {
            return this;
        }
    }

    static final class h {
        final c i = new c();
        long j;
        long k;

        void l() throws InterruptedException {
            i.a();
            try {
                j++;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                k++;
                if (j != k) {
                    m = true;
                }
            } finally {
                i.b();
            }
        }
    }

    static volatile boolean m;
    static final AtomicLong n = new AtomicLong();

    public static void main(String[] o) throws InterruptedException {
        long p = o.length > 0 ? Long.parseLong(o[0]) : 600;
        h[] q = {new h(), new h()};
        for (int r = 0; r < 8; r++) {
            h s = q[r % 2];
            Thread t = new Thread(() -> u(s));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(p * 1000);
        if (m) {
            throw new IllegalStateException("two in the archive");
        }
        System.out.println("DONE " + n);
    }

    static void u(h v) {
        try {
            while (!m) {
                v.l();
                n.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException w) {
            m = true;
        }
    }
}
