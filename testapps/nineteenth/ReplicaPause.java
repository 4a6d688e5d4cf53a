// Log appliers that run while replication is on and stop at the switch while it is off; an operator turns it off and on all the time.
// While it is off, he starts a thread that takes a snapshot and waits for the end of that thread. Obfuscated.
//
// @lock ReplicaPause$a
// @type CONDITION form=resettable-event
// @role wait ReplicaPause$a.c
// @role notify ReplicaPause$a.a
//
// @lock ReplicaPause$c
// @type JOIN
// @role join ReplicaPause$d.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

public class ReplicaPause {
    static final AtomicLong a = new AtomicLong();
    static volatile String b;

    static class a {
        private volatile boolean a = true;

        void a() {
            synchronized (this) {
                a = true;
                notifyAll();
            }
        }

        void b() {
            synchronized (this) {
                a = false;
            }
        }

        void c() throws InterruptedException {
            synchronized (this) {
                while (!a) {
                    wait();
                }
            }
        }
    }

    static class b extends Thread {
        private final a a;
        private final AtomicLongArray b;
        private final int c;

        b(a x, AtomicLongArray y, int z) {
            a = x;
            b = y;
            c = z;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    a.c();
                    b.incrementAndGet(c);
                    ReplicaPause.a.incrementAndGet();
                    sleep(1 + ThreadLocalRandom.current().nextInt(3));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class c extends Thread {
        private final AtomicLongArray a;
        long b = -1;

        c(AtomicLongArray x) {
            a = x;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                sleep(3 + ThreadLocalRandom.current().nextInt(4));
            } catch (InterruptedException e) {
                interrupt();
            }
            long x = 0;
            for (int i = 0; i < a.length(); i++) {
                x += a.get(i);
            }
            b = x;
        }
    }

    static class d extends Thread {
        private final a a;
        private final AtomicLongArray b;

        d(a x, AtomicLongArray y) {
            a = x;
            b = y;
            setDaemon(true);
        }

        private static long a(c x) throws InterruptedException {
            synchronized (x) {
                while (x.isAlive()) {
                    x.wait(2000);
                }
            }
            return x.b;
        }

        @Override
        public void run() {
            long x = 0;
            try {
                while (true) {
                    a.b();
                    c y = new c(b);
                    y.start();
                    long z = a(y);
                    if (z < x) {
                        ReplicaPause.b = "snapshot " + z + " after " + x;
                    }
                    x = z;
                    a.a();
                    sleep(6);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a x = new a();
        AtomicLongArray y = new AtomicLongArray(4);
        for (int i = 0; i < 4; i++) {
            new b(x, y, i).start();
        }
        new d(x, y).start();
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
