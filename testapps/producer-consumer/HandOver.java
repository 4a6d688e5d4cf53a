// @lock HandOver$a
// @type PRODUCER-CONSUMER capacity=1
// @role put HandOver$a.a
// @role take HandOver$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A reader thread hands blocks of a file over to a digest thread through one reference. Obfuscated; three files at once. */
public final class HandOver {
    static final class a<c> {
        private c d;

        void a(c e) throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    if (d == null) {
                        d = e;
                        notify();
                        return;
                    }
                    wait();
                }
            }
        }

        c b() throws InterruptedException {
            c f;
            synchronized (this) {
                while (d == null) {
                    wait();
                }
                f = d;
                d = null;
                notify();
            }
            return f;
        }
    }

    private static final AtomicLong g = new AtomicLong();
    private static volatile boolean h;

    private static void i(a<byte[]> j) {
        byte k = 0;
        try {
            for (;;) {
                byte[] l = new byte[ThreadLocalRandom.current().nextInt(1, 64)];
                l[0] = k++;
                j.a(l);
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
            }
        } catch (InterruptedException m) {
            Thread.currentThread().interrupt();
        }
    }

    private static void n(a<byte[]> j) {
        byte k = 0;
        try {
            for (;;) {
                byte[] l = j.b();
                if (l[0] != k++) {
                    h = true;
                }
                g.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
            }
        } catch (InterruptedException m) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int p = 0; p < 3; p++) {
            a<byte[]> q = new a<>();
            Thread r = new Thread(() -> i(q));
            Thread s = new Thread(() -> n(q));
            r.setDaemon(true);
            s.setDaemon(true);
            r.start();
            s.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(o * 1000);
        if (h) {
            throw new IllegalStateException("a block was lost or doubled");
        }
        System.out.println("DONE " + g);
    }
}
