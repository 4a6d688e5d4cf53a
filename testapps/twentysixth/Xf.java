// @lock Xf$b
// @type JOIN
// @role join Xf$b.a
//
// @lock Xf$c
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put Xf$c.a
// @role take Xf$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** File transfers: a thread each, which says itself that it has ended; the result goes through a slot of one place. */
public class Xf {

    static class b extends Thread {
        private boolean a;
        private final int b;
        private int c;

        b(int b) {
            this.b = b;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                c = b * 2 + 1;
            } catch (InterruptedException d) {
                c = -1;
            }
            synchronized (this) {
                a = true;
                notifyAll();
            }
        }

        final int a(long d) throws InterruptedException {
            synchronized (this) {
                while (!a) {
                    wait(d);
                }
            }
            return c;
        }
    }

    static class c {
        private Integer a;

        synchronized void a(int b) throws InterruptedException {
            while (a != null) {
                wait();
            }
            a = b;
            notifyAll();
        }

        synchronized int b() throws InterruptedException {
            while (a == null) {
                wait();
            }
            int b = a;
            a = null;
            notifyAll();
            return b;
        }
    }

    static volatile String d;
    static final AtomicLong e = new AtomicLong();
    static final AtomicLong f = new AtomicLong();
    static final AtomicLong g = new AtomicLong();
    static final c h = new c();

    static void a() throws InterruptedException {
        for (int i = 1; true; i++) {
            b j = new b(i);
            b k = new b(-i - 1);
            j.start();
            k.start();
            int l = j.a(1000);
            int m = k.a(1000);
            if (l + m != 0) {
                d = "sum is " + (l + m);
            }
            f.addAndGet(l);
            h.a(l);
            f.addAndGet(3);
            h.a(3);
        }
    }

    static void b() throws InterruptedException {
        while (true) {
            int i = h.b();
            g.addAndGet(i);
            if (g.get() > f.get()) {
                d = "more came out than went in";
            }
            e.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    public static void main(String[] args) throws Exception {
        int i = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int j = 0; j < 3; j++) {
            final boolean k = j < 2;
            Thread l = new Thread("x" + j) {
                @Override public void run() {
                    try {
                        if (k) {
                            a();
                        } else {
                            b();
                        }
                    } catch (InterruptedException m) {
                        d = "interrupted";
                    }
                }
            };
            l.setDaemon(true);
            l.start();
        }
        System.out.println("READY");
        long j = System.currentTimeMillis() + i * 1000L;
        while (System.currentTimeMillis() < j && d == null) {
            Thread.sleep(50);
        }
        System.out.println(d == null ? "DONE " + e.get() : "FAULT " + d);
        System.exit(d == null ? 0 : 1);
    }
}
