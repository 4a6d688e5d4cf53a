// @lock DoorStates$StateMonitor
// @type CONDITION
// @role wait DoorStates$StateMonitor.waitFor
// @role notify DoorStates$StateMonitor.moveTo

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A lift's door as a state machine: one thread moves it on, others wait for whichever states concern them. */
public final class DoorStates {
    enum State { CLOSED, OPENING, OPEN, CLOSING }

    static final class StateMonitor {
        private State current = State.CLOSED;
        private final long[] entered = new long[State.values().length];

        void moveTo(State next) {
            synchronized (this) {
                if (next.ordinal() != (current.ordinal() + 1) % 4) {
                    throw new IllegalStateException(current + " to " + next);
                }
                current = next;
                entered[next.ordinal()]++;
                notifyAll();
            }
        }

        /** Waits for the next time one of the wanted states holds. */
        State waitFor(Set<State> wanted) throws InterruptedException {
            synchronized (this) {
                while (!wanted.contains(current)) {
                    wait();
                }
                return current;
            }
        }

        synchronized long cycles() {
            return entered[State.OPEN.ordinal()];
        }
    }

    private final StateMonitor door = new StateMonitor();
    private final AtomicLong seen = new AtomicLong();
    private volatile boolean stop;
    private volatile boolean wrong;

    private void drive() {
        try {
            while (!stop) {
                for (State s : new State[] {State.OPENING, State.OPEN, State.CLOSING, State.CLOSED}) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                    door.moveTo(s);
                }
            }
        } catch (InterruptedException e) {
            wrong = true;
        }
    }

    private void watch(Set<State> wanted) {
        try {
            while (!stop) {
                if (!wanted.contains(door.waitFor(wanted))) {
                    wrong = true;
                }
                seen.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        DoorStates lift = new DoorStates();
        Thread motor = new Thread(lift::drive, "motor");
        motor.setDaemon(true);
        motor.start();
        Object[][] people = {
            {"rider-1", EnumSet.of(State.OPEN)},
            {"rider-2", EnumSet.of(State.OPEN)},
            {"cabin", EnumSet.of(State.CLOSED)},
            {"buzzer", EnumSet.of(State.OPENING, State.CLOSING)},
            {"lamp", EnumSet.complementOf(EnumSet.of(State.CLOSED))},
        };
        for (Object[] p : people) {
            Set<State> wanted = EnumSet.noneOf(State.class);
            for (Object s : (Set<?>) p[1]) {
                wanted.add((State) s);
            }
            Thread t = new Thread(() -> lift.watch(wanted), (String) p[0]);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        lift.stop = true;
        motor.join(5_000);
        if (lift.wrong || lift.door.cycles() == 0) {
            throw new IllegalStateException("the door was not where it was waited for");
        }
        System.out.println("DONE " + lift.seen);
    }
}
