// A board game whose names lead astray: three players take turns; a move is computed by a thread that is then joined.
// @lock LatchTower$CountDownLatch
// @type CONDITION
// @role wait LatchTower$CountDownLatch.await
// @role notify LatchTower$CountDownLatch.countDown
//
// @lock LatchTower$Semaphore
// @type JOIN
// @role join java.lang.Thread.join
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class LatchTower {
    static final AtomicLong moves = new AtomicLong();

    enum Permit { WHITE, GREY, BLACK;
        Permit next() { return values()[(ordinal() + 1) % values().length]; }
    }

    /** Whose turn it is. */
    static final class CountDownLatch {
        private Permit count = Permit.WHITE;
        private final Permit[] last = new Permit[1];

        synchronized void await(Permit p) throws InterruptedException {
            while (count != p) wait();
            if (last[0] != null && last[0].next() != p) fail("turn skipped");
        }

        synchronized void countDown(Permit p) {
            if (count != p) fail("not your turn");
            last[0] = p;
            count = p.next();
            notifyAll();
        }
    }

    /** A move being thought about. */
    static final class Semaphore extends Thread {
        private final int acquire;
        private volatile int release;

        Semaphore(int depth) { acquire = depth; setDaemon(true); }

        @Override public void run() {
            try {
                int v = 0;
                for (int i = 0; i < acquire; i++) { v += i; Thread.sleep(1); }
                release = v + 1;
            } catch (InterruptedException e) { fail("thought interrupted"); }
        }
    }

    static final int[] board = new int[9];

    static final class Queue implements Runnable {
        final CountDownLatch mutex;
        final Permit me;
        Queue(CountDownLatch m, Permit p) { mutex = m; me = p; }

        private int put(Semaphore s) throws InterruptedException {
            for (int tries = 0; s.isAlive(); tries++) {
                if (tries > 50) fail("thinks for ever");
                s.join(200);
            }
            return s.release;
        }

        @Override public void run() {
            try {
                for (;;) {
                    mutex.await(me);
                    int before = board[0];
                    Semaphore s = new Semaphore(ThreadLocalRandom.current().nextInt(2, 6));
                    s.start();
                    int v = put(s);
                    if (v == 0) fail("joined too early");
                    if (board[0] != before) fail("somebody moved meanwhile");
                    board[0] = before + 1;
                    board[1 + v % 8]++;
                    mutex.countDown(me);
                    moves.incrementAndGet();
                }
            } catch (InterruptedException e) { fail("player interrupted"); }
        }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    public static void main(String[] args) throws Exception {
        CountDownLatch m = new CountDownLatch();
        for (Permit p : Permit.values()) {
            Thread t = new Thread(new Queue(m, p), "barrier-" + p);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + moves.get());
    }
}
