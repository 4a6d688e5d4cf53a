// @lock PeerConnection$Connection
// @type CONDITION
// @role wait PeerConnection$Connection.awaitState
// @role notify PeerConnection$Connection.moveTo

import java.util.EnumSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Network connections that go through connecting, secured, open, closing and closed: application threads wait for states that a reactor reaches. */
public final class PeerConnection {
    enum State {
        IDLE, CONNECTING, SECURED, OPEN, CLOSING, CLOSED;

        boolean mayBecome(State next) {
            return next.ordinal() == ordinal() + 1 || this == CONNECTING && next == CLOSED;
        }
    }

    static final class Connection {
        private State state = State.IDLE;

        synchronized State awaitState(EnumSet<State> wanted, long millis) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            long left = deadline - System.nanoTime();
            while (!wanted.contains(state) && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadline - System.nanoTime();
            }
            return state;
        }

        synchronized void moveTo(State next) {
            if (!state.mayBecome(next)) {
                throw new IllegalStateException(state + " -> " + next);
            }
            state = next;
            notifyAll();
        }
    }

    private final Queue<Runnable> network = new ConcurrentLinkedQueue<>();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile String failure;

    private void application() throws InterruptedException {
        Connection c = new Connection();
        c.moveTo(State.CONNECTING);
        network.add(() -> shakeHands(c));
        State s = c.awaitState(EnumSet.of(State.OPEN, State.CLOSED), 20_000);
        if (s == State.CLOSED) {
            refused.incrementAndGet();
            return;
        }
        if (s != State.OPEN) {
            failure = "not open but " + s;
        }
        opened.incrementAndGet();
        Thread.sleep(1);
        c.moveTo(State.CLOSING);
        network.add(() -> c.moveTo(State.CLOSED));
        if (c.awaitState(EnumSet.of(State.CLOSED), 20_000) != State.CLOSED) {
            failure = "never closed";
        }
    }

    private void shakeHands(Connection c) {
        if (ThreadLocalRandom.current().nextInt(5) == 0) {
            c.moveTo(State.CLOSED);
            return;
        }
        c.moveTo(State.SECURED);
        network.add(() -> c.moveTo(State.OPEN));
    }

    private void reactor() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
        for (int budget = 4; budget > 0; budget--) {
            Runnable event = network.poll();
            if (event == null) {
                return;
            }
            event.run();
        }
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.run();
                }
            } catch (InterruptedException | RuntimeException e) {
                failure = e.toString();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PeerConnection peer = new PeerConnection();
        peer.loop("reactor", peer::reactor);
        for (int i = 0; i < 6; i++) {
            peer.loop("application-" + i, peer::application);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (peer.failure != null) {
            throw new IllegalStateException(peer.failure);
        }
        System.out.println("DONE " + (peer.opened.get() + peer.refused.get()));
    }
}
