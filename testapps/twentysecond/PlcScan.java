// @lock PlcScan$K
// @type BARRIER parties=4
// @role arrive PlcScan$K.a
//
// @lock PlcScan$L
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock PlcScan$L.a
// @role write-lock PlcScan$L.b
// @role read-unlock PlcScan$L.c
// @role write-unlock PlcScan$L.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A soft PLC: four function blocks in lock-step, the process image read by displays and rewritten by the input cards. */
public class PlcScan {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class K {
        private final int f;
        private int g;
        private int h;

        K(int f) {
            this.f = f;
            g = f;
        }

        synchronized int a() throws InterruptedException {
            int mine = h;
            if (--g == 0) {
                g = f;
                h++;
                notifyAll();
            } else {
                do wait(); while (h == mine);
            }
            return mine;
        }
    }

    static final class L {
        private enum M { A, B, C }
        private M d = M.A;
        private int e;

        synchronized void a() throws InterruptedException {
            while (d == M.C) wait();
            d = M.B;
            e++;
        }

        synchronized void b() throws InterruptedException {
            while (d != M.A) wait();
            d = M.C;
            e = 1;
        }

        synchronized void c() {
            if (--e == 0) {
                d = M.A;
                notifyAll();
            }
        }
    }

    static final K n = new K(4);
    static final L o = new L();
    static final int[] s = new int[8];
    static final AtomicIntegerArray phaseOf = new AtomicIntegerArray(4);

    static void r(int id) throws InterruptedException {
        int h = 0;
        while (!stop) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            phaseOf.set(id, ++h);
            if (n.a() != h - 1) broken = "block " + id + " out of step";
            for (int i = 0; i < 4; i++) if (phaseOf.get(i) < h) broken = "let go before block " + i;
            ops.incrementAndGet();
        }
    }

    static void p() throws InterruptedException {
        while (!stop) {
            o.a();
            int first = s[0];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (s[7] != first) broken = "image torn";
            o.c();
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
        }
    }

    static void q() throws InterruptedException {
        while (!stop) {
            o.b();
            int v = ThreadLocalRandom.current().nextInt();
            for (int i = 0; i < 8; i++) {
                s[i] = v;
                if (i == 3) Thread.sleep(2);
            }
            o.c();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
        }
    }

    interface Body { void run() throws InterruptedException; }

    static void thread(String name, Body b) {
        Thread t = new Thread(name) {
            @Override public void run() {
                try { b.run(); } catch (InterruptedException e) { broken = name + " interrupted"; }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            int id = i;
            thread("block-" + i, () -> r(id));
        }
        for (int i = 0; i < 4; i++) thread("display-" + i, PlcScan::p);
        for (int i = 0; i < 2; i++) thread("card-" + i, PlcScan::q);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }
}
