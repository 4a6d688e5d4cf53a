// @lock ShakeHands$Connection
// @type CONDITION
// @role wait ShakeHands$Connection.await
// @role notify ShakeHands$Connection.moveTo

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A teaching model of TCP: both ends of a connection move one state machine and wait for the states that the other end brings. */
public final class ShakeHands {
    enum State {
        CLOSED, SYN_SENT, SYN_RECEIVED, ESTABLISHED, FIN_WAIT, CLOSE_WAIT, LAST_ACK;

        boolean mayFollow(State before) {
            return ordinal() == before.ordinal() + 1 || this == CLOSED && before == LAST_ACK || this == CLOSED && before == SYN_SENT;
        }
    }

    static class Connection {
        private State state = State.CLOSED;
        private int transitions;

        synchronized State await(Set<State> wanted, long ms) throws InterruptedException {
            long end = System.nanoTime() + ms * 1_000_000;
            while (!wanted.contains(state)) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return null;
                }
                wait(left);
            }
            return state;
        }

        synchronized void moveTo(State next) {
            if (!next.mayFollow(state)) {
                throw new IllegalStateException(state + " -> " + next);
            }
            state = next;
            transitions++;
            notifyAll();
        }

        synchronized int transitions() {
            return transitions;
        }
    }

    static final AtomicLong closed = new AtomicLong();
    static volatile String failure;

    static void expect(Connection c, State s) throws InterruptedException {
        if (c.await(EnumSet.of(s), 5000) == null) {
            throw new IllegalStateException("no " + s);
        }
    }

    static void work(int bound) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(bound));
    }

    static void client(Connection c) throws InterruptedException {
        c.moveTo(State.SYN_SENT);
        expect(c, State.SYN_RECEIVED);
        c.moveTo(State.ESTABLISHED);
        work(4);
        c.moveTo(State.FIN_WAIT);
        expect(c, State.LAST_ACK);
        work(2);
        c.moveTo(State.CLOSED);
        closed.incrementAndGet();
        work(3);
    }

    static void server(Connection c) throws InterruptedException {
        expect(c, State.SYN_SENT);
        work(3);
        c.moveTo(State.SYN_RECEIVED);
        expect(c, State.FIN_WAIT);
        c.moveTo(State.CLOSE_WAIT);
        work(3);
        c.moveTo(State.LAST_ACK);
    }

    /** Prints nothing, but would: a monitor in the old sense that looks on whenever a connection is up. */
    static void watch(Connection c) throws InterruptedException {
        int before = c.transitions();
        if (c.await(EnumSet.range(State.ESTABLISHED, State.FIN_WAIT), 1000) != null && c.transitions() < before) {
            throw new IllegalStateException("connections go backwards");
        }
        c.await(EnumSet.of(State.CLOSED, State.SYN_SENT), 1000);
    }

    interface End {
        void step(Connection c) throws InterruptedException;
    }

    static void run(End end, Connection c) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    end.step(c);
                }
            } catch (InterruptedException | IllegalStateException e) {
                failure = e.toString();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            Connection c = new Connection();
            run(ShakeHands::server, c);
            run(ShakeHands::watch, c);
            run(ShakeHands::client, c);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + closed);
    }
}
