// Two stamping stations reached by drawing numbers, and a register that its own operations enter again; obfuscated.
//
// @lock StampDesk$a
// @type SEMAPHORE permits=2
// @role acquire StampDesk$a.a
// @role release StampDesk$a.b
//
// @lock StampDesk$b
// @type LOCK reentrant=true
// @role lock StampDesk$b.a
// @role lock StampDesk$b.c
// @role unlock StampDesk$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

public class StampDesk {
    static volatile String x;

    static class a {
        private long a, b = 2;

        synchronized long a() throws InterruptedException {
            long t = a++;
            while (t >= b)
                wait();
            return t;
        }

        void b() {
            synchronized (this) {
                b++;
                notifyAll();
            }
        }
    }

    static class b {
        private long a = -1;
        private int b;

        private boolean d(long t) {
            return a != -1 && a != t;
        }

        synchronized void a() throws InterruptedException {
            long t = Thread.currentThread().getId();
            while (d(t))
                wait();
            a = t;
            b++;
        }

        synchronized boolean c() {
            long t = Thread.currentThread().getId();
            if (d(t))
                return false;
            a = t;
            b++;
            return true;
        }

        synchronized void b() {
            if (a != Thread.currentThread().getId())
                throw new IllegalMonitorStateException();
            if (--b == 0) {
                a = -1;
                notify();
            }
        }
    }

    static class c {
        private final b a = new b();
        private int b, c;

        void a(int n) throws InterruptedException {
            a.a();
            try {
                b += n;
                b(n);
            } finally {
                a.b();
            }
        }

        void b(int n) throws InterruptedException {
            a.a();
            try {
                c -= n;
                Thread.sleep(1);
            } finally {
                a.b();
            }
        }

        boolean c() {
            if (!a.c())
                return true;
            try {
                return b + c == 0;
            } finally {
                a.b();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final a a = new a();
        final c c = new c();
        final AtomicInteger n = new AtomicInteger(), m = new AtomicInteger();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread() {
                @Override
                public void run() {
                    try {
                        for (;;) {
                            a.a();
                            if (n.incrementAndGet() > 2)
                                x = "three at the desk";
                            Thread.sleep(2 + ThreadLocalRandom.current().nextInt(4));
                            n.decrementAndGet();
                            a.b();
                            c.a(ThreadLocalRandom.current().nextInt(100));
                            m.incrementAndGet();
                            if (!c.c())
                                x = "register";
                        }
                    } catch (InterruptedException | RuntimeException e) {
                        x = e.toString();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long e = System.currentTimeMillis() + s * 1000L;
        int l = -1;
        int idle = 0;
        while (x == null && System.currentTimeMillis() < e) {
            Thread.sleep(250);
            idle = m.get() == l ? idle + 1 : 0;
            if (idle > 25)
                x = "stuck";
            l = m.get();
        }
        if (x != null) {
            System.out.println("BROKEN " + x);
            System.exit(1);
        }
        System.out.println("DONE " + m);
    }
}
