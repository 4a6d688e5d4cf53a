// Admission control of a query server: three queries at a time, strictly first come, first served. Who cannot enter
// waits on a node of his own and is handed the place of one who leaves. Obfuscated.
// (Composite: one semaphore over the queue's monitor and a monitor for each who waits.)
//
// @lock AdmissionQueue$b
// @type SEMAPHORE permits=3
// @role acquire AdmissionQueue$b.a
// @role release AdmissionQueue$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class AdmissionQueue {
    static final AtomicLong a = new AtomicLong();
    static final AtomicInteger c = new AtomicInteger();
    static volatile String b;

    static final class a {
        a a;
        boolean b;
    }

    static final class b {
        private int a = 3;
        private a b;
        private a c;

        void a() throws InterruptedException {
            a x;
            synchronized (this) {
                if (a > 0) {
                    a--;
                    return;
                }
                x = new a();
                if (c == null) {
                    b = x;
                } else {
                    c.a = x;
                }
                c = x;
            }
            synchronized (x) {
                while (!x.b) {
                    x.wait();
                }
            }
        }

        void b() {
            a x;
            synchronized (this) {
                x = b;
                if (x == null) {
                    a++;
                    return;
                }
                b = x.a;
                if (b == null) {
                    c = null;
                }
            }
            synchronized (x) {
                x.b = true;
                x.notify();
            }
        }
    }

    static final class c extends Thread {
        private final b a;

        c(b x) {
            a = x;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (true) {
                    a.a();
                    try {
                        if (AdmissionQueue.c.incrementAndGet() > 3) {
                            AdmissionQueue.b = "four inside";
                        }
                        sleep(2 + r.nextInt(5));
                        AdmissionQueue.c.decrementAndGet();
                    } finally {
                        a.b();
                    }
                    AdmissionQueue.a.incrementAndGet();
                    sleep(1 + r.nextInt(6));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        b x = new b();
        for (int i = 0; i < 8; i++) {
            new c(x).start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
