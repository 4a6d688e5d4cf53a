// @lock ClockMaster$A
// @type CONDITION
// @role wait ClockMaster$A.c1
// @role notify ClockMaster$A.c2
//
// @lock ClockMaster$B
// @type LOCK reentrant=false
// @role lock ClockMaster$B.c1
// @role lock ClockMaster$B.c2
// @role unlock ClockMaster$B.c3

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Network synchronisation: nodes wait until the master's tick has reached the one they aim for; a serial management link is owned by one card at a time. */
public class ClockMaster {
    static volatile boolean c4;
    static volatile String c5;
    static final AtomicLong c6 = new AtomicLong();

    static final class A {
        private long c1;

        void c1(long l) throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    if (c1 - l >= 0) return;
                    wait();
                }
            }
        }

        void c2() {
            synchronized (this) {
                c1++;
                notifyAll();
            }
        }

        synchronized long c3() { return c1; }
    }

    static final class B {
        private String c1;

        synchronized void c1() throws InterruptedException {
            while (c1 != null) wait();
            c1 = Thread.currentThread().getName();
        }

        synchronized boolean c2(long ms) throws InterruptedException {
            for (long e = System.nanoTime() / 1000000 + ms; c1 != null;) {
                long r = e - System.nanoTime() / 1000000;
                if (r <= 0) return false;
                wait(r);
            }
            c1 = Thread.currentThread().getName();
            return true;
        }

        synchronized void c3() {
            if (!Thread.currentThread().getName().equals(c1)) throw new IllegalStateException(c1);
            c1 = null;
            notifyAll();
        }
    }

    static final A c7 = new A();
    static final B c8 = new B();
    static int c9;

    static class C extends Thread {
        private final int c1;

        C(int c1) {
            super("card" + c1);
            this.c1 = c1;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                while (!c4) {
                    if (c1 == 0) {
                        Thread.sleep(4);
                        c7.c2();
                    } else if (c1 < 5) {
                        long l = c7.c3() + ThreadLocalRandom.current().nextInt(1, 5);
                        c7.c1(l);
                        if (c7.c3() < l) c5 = "tick too early";
                    } else {
                        if (c1 < 7) c8.c1();
                        else if (!c8.c2(30)) continue;
                        try {
                            int v = ++c9;
                            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                            if (v != c9) c5 = "link used by two";
                        } finally {
                            c8.c3();
                        }
                        Thread.sleep(3);
                    }
                    c6.incrementAndGet();
                }
            } catch (InterruptedException | IllegalStateException e) {
                c5 = e.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 9; i++) new C(i).start();
        System.out.println("READY");
        while (s-- > 0 && c5 == null) Thread.sleep(1000);
        c4 = true;
        if (c5 != null) {
            System.out.println(c5);
            System.exit(1);
        }
        System.out.println("DONE " + c6);
        System.exit(0);
    }
}
