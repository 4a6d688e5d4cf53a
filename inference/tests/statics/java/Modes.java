import java.util.HashSet;
import java.util.Set;

// @lock Modes$Held
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Modes$Held.get
// @role write-lock Modes$Held.get
// @role read-unlock Modes$Held.free
// @role write-unlock Modes$Held.free
//
// @lock Modes$Turned
// @type READ-WRITE reentrant=false
// @role read-lock Modes$Turned.get
// @role write-lock Modes$Turned.get
// @role read-unlock Modes$Turned.free
// @role write-unlock Modes$Turned.free
//
// @lock Modes$Teams
// @type CONDITION
// @role wait Modes$Teams.get
// @role notify Modes$Teams.free
//
// @lock Modes$Life
// @type CONDITION
// @role wait Modes$Life.awaitUp
// @role wait Modes$Life.awaitEnd
// @role notify Modes$Life.to
/** Locks whose state is a constant of an enum. */
public class Modes {
    enum Mode { NONE, SHARED, EXCLUSIVE }

    enum State { NEW, UP, DONE }

    static class Held {
        private Mode mode = Mode.NONE;
        private final Set<Long> holders = new HashSet<>();

        synchronized void get(long who, Mode wanted) throws InterruptedException {
            while (!(mode == Mode.NONE || mode == Mode.SHARED && wanted == Mode.SHARED)) {
                wait();
            }
            mode = wanted;
            holders.add(who);
        }

        synchronized void free(long who) {
            holders.remove(who);
            if (holders.isEmpty()) {
                mode = Mode.NONE;
                notifyAll();
            }
        }
    }

    static class Turned {
        private Mode mode = Mode.NONE;
        private final Set<Integer> holders = new HashSet<>();

        synchronized void get(int who, Mode wanted) throws InterruptedException {
            while (mode != Mode.NONE && (mode == Mode.EXCLUSIVE || wanted == Mode.EXCLUSIVE)) {
                wait();
            }
            mode = wanted;
            holders.add(who);
        }

        synchronized void free(int who) {
            holders.remove(who);
            if (holders.isEmpty()) {
                mode = Mode.NONE;
                notifyAll();
            }
        }
    }

    /** Each mode shares with its own. */
    static class Teams {
        private Mode mode = Mode.NONE;
        private int inside;

        synchronized void get(Mode wanted) throws InterruptedException {
            while (mode != Mode.NONE && mode != wanted) {
                wait();
            }
            mode = wanted;
            inside++;
        }

        synchronized void free() {
            if (--inside == 0) {
                mode = Mode.NONE;
                notifyAll();
            }
        }
    }

    /** Several states are waited for. */
    static class Life {
        private State state = State.NEW;

        synchronized void to(State next) {
            state = next;
            notifyAll();
        }

        synchronized void awaitUp() throws InterruptedException {
            while (state != State.UP) {
                wait();
            }
        }

        synchronized void awaitEnd() throws InterruptedException {
            while (state != State.DONE) {
                wait();
            }
        }
    }
}
