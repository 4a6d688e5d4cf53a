// @lock LinkSetup$Link
// @type CONDITION
// @role wait LinkSetup$Link.await
// @role notify LinkSetup$Link.change

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Connections set up and torn down between two ends; either end, and a monitor, waits for a link to reach a state. */
public final class LinkSetup {
    enum State { CLOSED, REQUESTED, OPEN, CLOSING }

    static final class Link {
        private State state = State.CLOSED;

        synchronized State await(Set<State> wanted, long millis) throws InterruptedException {
            long until = System.nanoTime() + millis * 1_000_000L;
            while (!wanted.contains(state)) {
                long left = (until - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return null;
                }
                wait(left);
            }
            return state;
        }

        synchronized boolean change(State from, State to) {
            if (state != from) {
                return false;
            }
            state = to;
            notifyAll();
            return true;
        }
    }

    private static final Set<State> OPEN = EnumSet.of(State.OPEN);
    private static final Set<State> CLOSED = EnumSet.of(State.CLOSED);
    private static final Set<State> CALL = EnumSet.of(State.REQUESTED, State.CLOSING);
    private static final Set<State> MOVING = EnumSet.complementOf(EnumSet.of(State.CLOSED));
    private static volatile boolean broken;
    private static final AtomicLong calls = new AtomicLong();
    private static final AtomicLong seen = new AtomicLong();

    private static void expect(boolean ok) {
        if (!ok) {
            broken = true;
            throw new IllegalStateException("wrong state");
        }
    }

    private static void client(Link link) throws InterruptedException {
        expect(link.change(State.CLOSED, State.REQUESTED));
        expect(link.await(OPEN, 10_000) == State.OPEN);
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        expect(link.change(State.OPEN, State.CLOSING));
        expect(link.await(CLOSED, 10_000) == State.CLOSED);
        calls.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    private static void server(Link link) throws InterruptedException {
        State state = link.await(CALL, 10_000);
        Thread.sleep(1);
        expect(state != null && link.change(state, state == State.CLOSING ? State.CLOSED : State.OPEN));
    }

    private static void monitor(Link link) throws InterruptedException {
        if (link.await(MOVING, 2) != null) {
            seen.incrementAndGet();
            expect(link.await(CLOSED, 10_000) != null);
        }
    }

    private interface Role {
        void turn(Link link) throws InterruptedException;
    }

    private static void start(String name, Link link, Role role) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    role.turn(link);
                }
            } catch (InterruptedException | RuntimeException e) {
                broken = true;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            Link link = new Link();
            start("client-" + i, link, LinkSetup::client);
            start("server-" + i, link, LinkSetup::server);
            start("monitor-" + i, link, LinkSetup::monitor);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken || seen.get() == 0) {
            throw new IllegalStateException("a link is stuck or in the wrong state");
        }
        System.out.println("DONE " + calls);
    }
}
