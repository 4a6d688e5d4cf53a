// Outgoing wires of a bank: clerks work on accounts under a re-entrant lock, references come from a static counter,
// the line to the clearing house is retried after a pause.
// @lock WireDesk$DeskLock
// @type LOCK reentrant=true
// @role lock WireDesk$DeskLock.enter
// @role unlock WireDesk$DeskLock.exit
//
// @lock java.lang.Class#next
// @type MUTEX
// @role enter WireDesk$References.next
// @role enter WireDesk$References.issued
//
// @lock WireDesk$Line
// @type DELAY
// @role delay WireDesk$Line.pause
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class WireDesk {
    static final AtomicLong OPS = new AtomicLong();

    static void fail(String m) { System.out.println("FAILED " + m); System.exit(1); }

    static final class DeskLock {
        private Thread clerk;
        private int depth;

        synchronized void enter() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (clerk == me) { depth++; return; }
            while (clerk != null) wait();
            clerk = me;
            depth = 1;
        }

        synchronized void exit() {
            if (clerk != Thread.currentThread()) throw new IllegalMonitorStateException("not at the desk");
            if (--depth == 0) {
                clerk = null;
                notify();
            }
        }
    }

    static final class References {
        private static long last;
        private static final Map<Long, String> HANDED = new HashMap<>();

        static synchronized long next(String who) throws InterruptedException {
            long n = ++last;
            HANDED.put(n, who);
            Thread.sleep(1);                    // the number goes to the register first
            if (n != last) fail("number taken twice");
            HANDED.remove(n - 500);
            return n;
        }

        static synchronized int issued() {
            int n = HANDED.size();
            if (n > 501) fail("register too long");
            return n;
        }
    }

    static final class Line {
        private int tries;

        boolean send() throws InterruptedException {
            tries = 0;
            while (ThreadLocalRandom.current().nextInt(3) == 0) {
                if (++tries > 4) return false;
                pause(2L << tries);
            }
            pause(3);
            return true;
        }

        private synchronized void pause(long ms) throws InterruptedException {
            long until = System.nanoTime() + ms * 1_000_000;
            long left;
            while ((left = until - System.nanoTime()) > 0) wait(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    static final class Accounts {
        final DeskLock lock = new DeskLock();
        final long[] cents = {100000, 100000, 100000};

        void move(int from, int to, long c) throws InterruptedException {
            lock.enter();
            try {
                add(from, -c);
                Thread.sleep(2);
                add(to, c);
                check();
            } finally { lock.exit(); }
        }

        void add(int i, long c) throws InterruptedException {
            lock.enter();
            try { cents[i] += c; } finally { lock.exit(); }
        }

        void check() throws InterruptedException {
            lock.enter();
            try {
                long s = 0;
                for (long c : cents) s += c;
                if (s != 300000) fail("money lost");
            } finally { lock.exit(); }
        }
    }

    static void clerk(Accounts acc, int no) {
        Line line = new Line();
        try {
            long before = 0;
            for (;;) {
                long ref = References.next("clerk" + no);
                if (ref <= before) fail("reference out of order");
                before = ref;
                acc.move((int) (ref % 3), (int) ((ref + 1) % 3), ref % 100);
                if (no == 0) References.issued();
                if (line.send()) OPS.incrementAndGet();
            }
        } catch (InterruptedException e) { fail("clerk interrupted"); }
    }

    public static void main(String[] args) throws Exception {
        Accounts acc = new Accounts();
        for (int i = 0; i < 6; i++) {
            int no = i;
            Thread t = new Thread(() -> clerk(acc, no), "clerk-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + OPS.get());
    }
}
