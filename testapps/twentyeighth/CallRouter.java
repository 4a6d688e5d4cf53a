// @lock CallRouter$TrunkLock
// @type LOCK reentrant=true
// @role lock CallRouter$TrunkLock.seize
// @role unlock CallRouter$TrunkLock.free
// @lock CallRouter$Line
// @type CONDITION
// @role wait CallRouter$Line.awaitState
// @role notify CallRouter$Line.moveTo

import java.util.EnumSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A subscriber line goes through the states of a call; the trunk group is seized, sometimes twice, by whoever routes. */
public final class CallRouter {
    enum State { IDLE, DIALLING, RINGING, CONNECTED, RELEASED }

    /** Where the call is; everybody acts in the states that are his. */
    static final class Line {
        private State state = State.IDLE;
        private long changes;

        synchronized void moveTo(State next) {
            if (next.ordinal() != (state.ordinal() + 1) % State.values().length) {
                throw new IllegalStateException(state + " to " + next);
            }
            state = next;
            changes++;
            notifyAll();
        }

        synchronized State awaitState(EnumSet<State> wanted) throws InterruptedException {
            while (!wanted.contains(state)) {
                wait();
            }
            return state;
        }

        synchronized long changes() {
            return changes;
        }
    }

    static final class TrunkLock {
        private Thread owner;
        private int depth;

        void seize() throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (this) {
                if (owner == me) {
                    depth++;
                    return;
                }
                while (owner != null) {
                    wait();
                }
                owner = me;
                depth = 1;
            }
        }

        void free() {
            synchronized (this) {
                if (owner != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("not the owner");
                }
                if (--depth == 0) {
                    owner = null;
                    notify();
                }
            }
        }
    }

    private static final Line line = new Line();
    private static final TrunkLock trunks = new TrunkLock();
    private static int inUse;                      // guarded by trunks
    private static final AtomicLong routed = new AtomicLong();
    private static volatile Throwable failure;

    private static void reroute() throws InterruptedException {
        trunks.seize();
        try {
            inUse++;
            Thread.sleep(1);
            inUse--;
        } finally {
            trunks.free();
        }
    }

    private static void route() throws InterruptedException {
        trunks.seize();
        try {
            int before = inUse++;
            if (before != 0) {
                throw new IllegalStateException("somebody else is at the trunks");
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (ThreadLocalRandom.current().nextInt(3) == 0) {
                reroute();
            }
            inUse--;
            routed.incrementAndGet();
        } finally {
            trunks.free();
        }
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private static void forever(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    step.run();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                }
            } catch (InterruptedException e) {
                // end
            } catch (RuntimeException e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static Step on(State when, State then) {
        return () -> {
            line.awaitState(EnumSet.of(when));
            Thread.sleep(1);
            line.moveTo(then);
        };
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        forever("caller", on(State.IDLE, State.DIALLING));
        forever("called", on(State.RINGING, State.CONNECTED));
        forever("billing", on(State.CONNECTED, State.RELEASED));
        forever("exchange", () -> {
            State s = line.awaitState(EnumSet.of(State.DIALLING, State.RELEASED));
            line.moveTo(s == State.DIALLING ? State.RINGING : State.IDLE);
        });
        for (int i = 0; i < 4; i++) {
            forever("router-" + i, CallRouter::route);
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + (routed.get() + line.changes()));
    }
}
