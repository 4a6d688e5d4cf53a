// @lock Olivine$Line
// @type CONDITION
// @role wait Olivine$Line.await
// @role notify Olivine$Line.move

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A connection that goes through states for ever: callers wait for those they can use, each side of the link moves it on from the ones it owns. */
public final class Olivine {
    enum State { IDLE, DIALING, UP, DRAINING, DOWN }

    static final class Line {
        private State state = State.IDLE;
        private int session;

        /** The session in which one of the wanted states was met, or -1 after the time. */
        synchronized int await(Set<State> wanted, long millis) throws InterruptedException {
            long until = System.nanoTime() + millis * 1_000_000L;
            while (!wanted.contains(state)) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return -1;
                }
                wait(left / 1_000_000L + 1);
            }
            return session;
        }

        synchronized boolean move(State from, State to) {
            if (state != from) {
                return false;
            }
            state = to;
            if (to == State.UP) {
                session++;
            }
            notifyAll();
            return true;
        }

        synchronized State state() {
            return state;
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static final AtomicInteger dialled = new AtomicInteger();
    private static volatile String failure;

    private static void nap(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void modem(Line line) throws InterruptedException {
        if (line.await(EnumSet.of(State.DIALING), 5000) < 0) {
            failure = "nobody dials";
        }
        dialled.incrementAndGet();
        nap(1, 5);
        if (!line.move(State.DIALING, State.UP)) {
            failure = "somebody else answered";
        }
        nap(3, 8);
        line.move(State.UP, State.DRAINING);
        nap(1, 3);
        line.move(State.DRAINING, State.DOWN);
    }

    private static void dialler(Line line) throws InterruptedException {
        if (line.await(EnumSet.of(State.IDLE, State.DOWN), 5000) < 0) {
            failure = "the line never goes down";
        }
        nap(1, 4);
        line.move(line.state(), State.DIALING);
    }

    private static void caller(Line line) throws InterruptedException {
        int session = line.await(EnumSet.of(State.UP), 5000);
        if (session < 0 || session > dialled.get()) {
            failure = "up without having been dialled";
        }
        nap(1, 3);
        if (line.await(EnumSet.complementOf(EnumSet.of(State.UP)), 5000) < session) {
            failure = "the session went back";
        }
    }

    interface Body {
        void on(Line line) throws InterruptedException;
    }

    private static void start(String name, Line line, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.on(line);
                    ops.incrementAndGet();
                }
            } catch (InterruptedException e) {
                failure = name + " was interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Line line = new Line();
            start("modem-" + i, line, Olivine::modem);
            start("dialler-" + i, line, Olivine::dialler);
            for (int j = 0; j < 4; j++) {
                start("caller-" + i + "-" + j, line, Olivine::caller);
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
