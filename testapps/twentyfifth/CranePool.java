// A container terminal: four mobile cranes lent out to gangs; three planners finish every planning step together.
// @lock CranePool$Pool
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire CranePool$Pool.borrow
// @role acquire CranePool$Pool.tryBorrow
// @role release CranePool$Pool.giveBack
//
// @lock CranePool$Sync
// @type BARRIER parties=3
// @role arrive CranePool$Sync.meet
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

public class CranePool {
    static final AtomicLong lifts = new AtomicLong();

    static final class Crane {
        final int no;
        final AtomicBoolean busy = new AtomicBoolean();
        Crane(int no) { this.no = no; }

        void lift(int ms) throws InterruptedException {
            if (!busy.compareAndSet(false, true)) fail("crane " + no + " lent twice");
            Thread.sleep(ms);
            busy.set(false);
            lifts.incrementAndGet();
        }
    }

    static final class Pool {
        private final Deque<Crane> idle = new ArrayDeque<>();

        Pool(int n) { while (n > 0) idle.push(new Crane(n--)); }

        synchronized Crane borrow() throws InterruptedException {
            while (idle.isEmpty()) this.wait();
            return idle.pop();
        }

        synchronized Crane tryBorrow(long ms) throws InterruptedException {
            final long deadline = System.currentTimeMillis() + ms;
            while (idle.isEmpty()) {
                long left = deadline - System.currentTimeMillis();
                if (left < 1) return null;
                this.wait(left);
            }
            return idle.pop();
        }

        synchronized void giveBack(Crane c) {
            idle.push(c);
            this.notifyAll();
        }
    }

    /** Flips its side when the last planner comes. */
    static final class Sync {
        private final int all;
        private int missing;
        private boolean side;

        Sync(int all) { this.all = all; missing = all; }

        void meet() throws InterruptedException {
            synchronized (this) {
                final boolean mine = side;
                if (--missing > 0) {
                    while (side == mine) wait();
                    return;
                }
                missing = all;
                side = !side;
                notifyAll();
            }
        }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    static void gang(Pool p, int no) {
        try {
            for (;;) {
                Crane c = no % 3 == 0 ? p.tryBorrow(5) : p.borrow();
                if (c == null) { Thread.sleep(1); continue; }
                try { c.lift(ThreadLocalRandom.current().nextInt(2, 6)); } finally { p.giveBack(c); }
                Thread.sleep(1);
            }
        } catch (InterruptedException e) { fail("gang interrupted"); }
    }

    static final int[][] plan = new int[2][3];

    static void planner(Sync s, int no) {
        try {
            for (int step = 0; ; step++) {
                int[] now = plan[step & 1], old = plan[1 - (step & 1)];
                if (step > 0) for (int v : old) if (v != step - 1) fail("plan of step " + v + " in step " + step);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
                now[no] = step;
                s.meet();
            }
        } catch (InterruptedException e) { fail("planner interrupted"); }
    }

    static void go(String n, Runnable r) {
        Thread t = new Thread(r, n);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        Pool p = new Pool(4);
        for (int i = 0; i < 8; i++) { int no = i; go("gang-" + i, () -> gang(p, no)); }
        Sync s = new Sync(3);
        for (int i = 0; i < 3; i++) { int no = i; go("planner-" + i, () -> planner(s, no)); }
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + lifts.get());
    }
}
