// @lock CallCentre$Pace
// @type SEMAPHORE form=rate-limiter
// @role acquire CallCentre$Pace.mayDial
// @role release CallCentre$Pace.tick
// @lock CallCentre$Transfer
// @type PRODUCER-CONSUMER form=rendezvous
// @role put CallCentre$Transfer.handOver
// @role take CallCentre$Transfer.accept

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Four diallers may not dial faster than the exchange allows (a few calls may be saved up); a call that is answered is
 * passed to an agent, and the dialler stays on the line until the agent has taken it.
 */
public final class CallCentre {

    /** Everybody draws a number; a clock raises the number up to which one may dial. */
    static final class Pace {
        private static final int SAVED = 3;
        private long drawn;
        private long limit = SAVED;

        synchronized void mayDial() throws InterruptedException {
            long mine = drawn++;
            while (mine - limit >= 0) {
                wait();
            }
        }

        synchronized void tick() {
            if (limit < drawn + SAVED) {
                limit++;
                notifyAll();
            }
        }
    }

    private enum Line { IDLE, RINGING, TAKEN }

    static final class Transfer {
        private Line line = Line.IDLE;
        private String caller;

        void handOver(String who) throws InterruptedException {
            synchronized (this) {
                until(Line.IDLE);
                caller = who;
                change(Line.RINGING);
                until(Line.TAKEN);
                change(Line.IDLE);
            }
        }

        String accept() throws InterruptedException {
            synchronized (this) {
                until(Line.RINGING);
                String who = caller;
                caller = null;
                change(Line.TAKEN);
                return who;
            }
        }

        private void until(Line wanted) throws InterruptedException {
            while (line != wanted) {
                wait();
            }
        }

        private void change(Line to) {
            line = to;
            notifyAll();
        }
    }

    private final Pace pace = new Pace();
    private final Transfer transfer = new Transfer();
    private final AtomicLong ticks = new AtomicLong();
    private final AtomicLong dialled = new AtomicLong();
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private volatile String noise;

    private void dial(int id) throws InterruptedException {
        for (long n = 0; noise == null; n++) {
            pace.mayDial();
            if (dialled.incrementAndGet() > ticks.get() + Pace.SAVED) {
                noise = "dialled too fast";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (n % 3 == 0) {
                offered.incrementAndGet();
                transfer.handOver(id + ":" + n);
                long o = offered.get();
                if (o - taken.get() > 4 + 2) {
                    noise = "hung up too early";
                }
            }
        }
    }

    private void agent() throws InterruptedException {
        while (noise == null) {
            String call = transfer.accept();
            taken.incrementAndGet();
            if (call == null || call.indexOf(':') < 1) {
                noise = "nobody on the line";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(6, 15));
        }
    }

    private void clock() throws InterruptedException {
        while (noise == null) {
            Thread.sleep(4);
            ticks.incrementAndGet();
            pace.tick();
        }
    }

    private interface Shift {
        void work() throws InterruptedException;
    }

    private void begin(String name, Shift s) {
        Thread t = new Thread(() -> {
            try {
                s.work();
            } catch (InterruptedException e) {
                noise = name + " interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        CallCentre c = new CallCentre();
        for (int i = 1; i <= 4; i++) {
            int id = i;
            c.begin("dialler-" + i, () -> c.dial(id));
        }
        c.begin("agent-1", c::agent);
        c.begin("agent-2", c::agent);
        c.begin("clock", c::clock);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (c.noise != null) {
            throw new IllegalStateException(c.noise);
        }
        System.out.println("DONE " + c.dialled);
    }
}
