// @lock CallSetup$Ca
// @type LATCH count=3
// @role count-down CallSetup$Ca.a
// @role await CallSetup$Ca.b
//
// @lock CallSetup$Cb
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put CallSetup$Cb.a
// @role take CallSetup$Cb.b

import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Three-party conferences: the bridge and the announcer wait until all three legs of a call have answered; signals run through a linked queue. */
public class CallSetup {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    /** One per call. */
    static final class Ca {
        private final BitSet f0 = new BitSet();
        Ca() { f0.set(0, 3); }

        void a(int leg) {
            synchronized (this) {
                f0.clear(leg);
                if (f0.isEmpty()) notifyAll();
            }
        }

        void b() throws InterruptedException {
            synchronized (this) {
                while (!f0.isEmpty()) wait();
            }
        }
    }

    static final class Cc {
        final Ca call;
        final int leg;
        Cc next;
        Cc(Ca call, int leg) { this.call = call; this.leg = leg; }
    }

    static final class Cb {
        private Cc f1, f2;

        synchronized void a(Cc s) {
            if (f2 == null) f1 = s; else f2.next = s;
            f2 = s;
            notify();
        }

        synchronized Cc b() throws InterruptedException {
            while (f1 == null) wait();
            Cc s = f1;
            f1 = s.next;
            if (f1 == null) f2 = null;
            return s;
        }
    }

    static final Cb g0 = new Cb();

    /** A bridge with its announcer; calls are handed to the announcer through a volatile field, which it polls. */
    static final class Cd implements Runnable {
        volatile Ca current;

        @Override public void run() {
            try {
                while (!stop) {
                    Ca call = new Ca();
                    current = call;
                    for (int leg = 0; leg < 3; leg++) g0.a(new Cc(call, leg));
                    call.b();
                    if (!call.f0.isEmpty()) broken = "connected with legs missing";
                    Thread.sleep(4);
                    ops.incrementAndGet();
                }
            } catch (InterruptedException e) {
                broken = "bridge interrupted";
            }
        }

        void q() {
            Ca last = null;
            try {
                while (!stop) {
                    Ca c = current;
                    if (c == null || c == last) {
                        Thread.sleep(1);
                        continue;
                    }
                    c.b();
                    last = c;
                }
            } catch (InterruptedException e) {
                broken = "announcer interrupted";
            }
        }
    }

    static void w() {
        try {
            while (!stop) {
                Cc s = g0.b();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 10));
                s.call.a(s.leg);
            }
        } catch (InterruptedException e) {
            broken = "line handler interrupted";
        }
    }

    static void daemon(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Cd b = new Cd();
            daemon(b, "bridge-" + i);
            daemon(b::q, "announcer-" + i);
        }
        for (int i = 0; i < 7; i++) daemon(CallSetup::w, "line-" + i);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L, before = -1;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(1000);
            if (ops.get() == before) broken = "no call in a second";
            before = ops.get();
        }
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
