// @lock ConnState$Connection
// @type CONDITION
// @role wait ConnState$Connection.awaitState
// @role notify ConnState$Connection.become

import java.util.EnumSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A connection with a handshake: a state machine whose users wait for one of a set of states. It connects again and again. */
public final class ConnState {
    enum State {
        CLOSED, CONNECTING, HANDSHAKE, OPEN, CLOSING;

        boolean leadsTo(State next) {
            return next == values()[(ordinal() + 1) % values().length];
        }
    }

    static final class Connection {
        private State state = State.CLOSED;

        State awaitState(EnumSet<State> wanted) throws InterruptedException {
            synchronized (this) {
                while (!wanted.contains(state)) {
                    wait();
                }
                return state;
            }
        }

        State awaitState(State first, State... rest) throws InterruptedException {
            return awaitState(EnumSet.of(first, rest));
        }

        void become(State next) {
            synchronized (this) {
                if (!state.leadsTo(next)) {
                    throw new IllegalStateException(state + " -> " + next);
                }
                state = next;
                this.notifyAll();
            }
        }
    }

    private static final Connection connection = new Connection();
    private static final AtomicIntegerArray seen = new AtomicIntegerArray(State.values().length);
    private static final AtomicLong turns = new AtomicLong();
    private static volatile Throwable fault;

    private static void work() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    private static void dialler() throws InterruptedException {
        connection.awaitState(State.CLOSED);
        work();
        connection.become(State.CONNECTING);
        connection.awaitState(State.CLOSING);
        work();
        connection.become(State.CLOSED);
        turns.incrementAndGet();
    }

    private static void peer() throws InterruptedException {
        connection.awaitState(State.CONNECTING);
        work();
        connection.become(State.HANDSHAKE);
        work();
        connection.become(State.OPEN);
    }

    private static void user() throws InterruptedException {
        connection.awaitState(State.OPEN);
        work();
        connection.become(State.CLOSING);
    }

    private static void watcher(State a, State b) throws InterruptedException {
        State state = connection.awaitState(a, b);
        if (state != a && state != b) {
            throw new IllegalStateException("told " + state);
        }
        seen.incrementAndGet(state.ordinal());
        work();
    }

    interface Part {
        void once() throws InterruptedException;
    }

    private static void start(Part part) {
        Thread t = new Thread(() -> {
            try {
                while (fault == null) {
                    part.once();
                }
            } catch (Throwable e) {
                fault = e;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        start(ConnState::dialler);
        start(ConnState::peer);
        start(ConnState::user);
        start(() -> watcher(State.OPEN, State.CLOSED));
        start(() -> watcher(State.HANDSHAKE, State.CLOSING));
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null || turns.get() == 0) {
            throw new IllegalStateException("the connection is stuck", fault);
        }
        System.out.println("DONE " + turns);
    }
}
