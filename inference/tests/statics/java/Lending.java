// @lock Lending$Hatch
// @type SEMAPHORE permits=1
// @role acquire Lending$Hatch.open
// @role release Lending$Hatch.shut
//
// @lock Lending$Own
// @type LOCK reentrant=false
// @role lock Lending$Own.enter
// @role unlock Lending$Own.leave
//
// @lock Lending$Offered
// @type LOCK reentrant=false
// @role lock Lending$Offered.enter
// @role unlock Lending$Offered.leave
//
// @lock Lending$Rack
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire Lending$Rack.fetch
// @role release Lending$Rack.hang
//
// @lock Lending$Filled
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire Lending$Filled.get
// @role release Lending$Filled.put
//
// @lock Lending$Sides
// @type SEMAPHORE permits=2
// @role acquire Lending$Sides.take
// @role release Lending$Sides.give
//
// @lock Lending$Tokens
// @type SEMAPHORE permits=2 form=rate-limiter
// @role acquire Lending$Tokens.spend
// @role release Lending$Tokens.pour
//
// @lock Lending$Named
// @type LOCK reentrant=false
// @role lock Lending$Named.enter
// @role unlock Lending$Named.leave
//
// @lock Lending$Parts
// @type LATCH count=2
// @role count-down Lending$Parts.written
// @role await Lending$Parts.play
//
// @lock Lending$Halves
// @type LATCH count=2
// @role count-down Lending$Halves.closed
// @role await Lending$Halves.bothClosed
//
// @lock Lending$Quarters
// @type LATCH count=4
// @role count-down Lending$Quarters.filled
// @role await Lending$Quarters.full
//
// @lock Lending$Signatures
// @type LATCH count=2
// @role count-down Lending$Signatures.sign
// @role await Lending$Signatures.both
//
// @lock Lending$Answer
// @type LATCH count=1 form=future
// @role count-down Lending$Answer.settle
// @role await Lending$Answer.get
//
// @lock Lending$Exchange
// @type BARRIER parties=2 form=exchanger
// @role arrive Lending$Exchange.swap
//
// @lock Lending$Pipe
// @type PRODUCER-CONSUMER capacity=16
// @role put Lending$Pipe.write
// @role take Lending$Pipe.read

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Who gives back what, and with what these are called. */
public final class Lending {
    static final Hatch HATCH = new Hatch();
    static final Own OWN = new Own();
    static final Offered OFFERED = new Offered();
    static final Rack RACK = new Rack(3);
    static final Sides SIDES = new Sides();
    static final Exchange EXCHANGE = new Exchange();
    static final Tokens TOKENS = new Tokens();
    static final Named NAMED = new Named();
    static final Pipe PIPE = new Pipe();
    static volatile Parts parts = new Parts();
    static volatile Signatures signatures = new Signatures();
    static volatile Answer answer = new Answer();
    static volatile boolean alarm;

    /** Opened by one, shut by another. */
    static final class Hatch {
        private boolean shut = true;

        synchronized void open() throws InterruptedException {
            while (!shut) {
                wait();
            }
            shut = false;
        }

        synchronized void shut() {
            shut = true;
            notify();
        }
    }

    /** The same state, given back by who took it, two calls further down. */
    static final class Own {
        private boolean free = true;

        synchronized void enter() throws InterruptedException {
            while (!free) {
                wait();
            }
            free = false;
        }

        synchronized void leave() {
            free = true;
            notify();
        }
    }

    static void begin() throws InterruptedException {
        OWN.enter();
    }

    static void end() {
        OWN.leave();
    }

    static void job() throws InterruptedException {
        begin();
        end();
    }

    /** The same once more, handed to who calls both. */
    static final class Offered {
        private boolean free = true;

        synchronized void enter() throws InterruptedException {
            while (!free) {
                wait();
            }
            free = false;
        }

        synchronized void leave() {
            free = true;
            notify();
        }
    }

    interface Step {
        void take() throws InterruptedException;
    }

    static void between(Step before, Runnable after) throws InterruptedException {
        before.take();
        after.run();
    }

    static void offered() throws InterruptedException {
        between(OFFERED::enter, OFFERED::leave);
    }

    static void offeredAtStart() throws InterruptedException {
        OFFERED.enter();
    }

    static void offeredAtEnd() {
        OFFERED.leave();
    }

    /** What is handed out are numbers. */
    static final class Rack {
        private int hanging;

        Rack(int keys) {
            hanging = (1 << keys) - 1;
        }

        synchronized int fetch() throws InterruptedException {
            while (hanging == 0) {
                wait();
            }
            int key = Integer.numberOfTrailingZeros(hanging);
            hanging &= hanging - 1;
            return key;
        }

        synchronized void hang(int key) {
            if ((hanging & 1 << key) != 0) {
                throw new IllegalStateException();
            }
            hanging |= 1 << key;
            notifyAll();
        }
    }

    /** Filled after it was made; what was not taken out is not taken back. */
    static class Filled {
        private final ArrayDeque<Object> here = new ArrayDeque<>();
        private final Set<Object> away = new HashSet<>();

        final synchronized void fill(int n) {
            for (int i = 0; i < n; i++) {
                here.push(new Object());
            }
        }

        synchronized Object get() throws InterruptedException {
            while (here.isEmpty()) {
                wait();
            }
            Object one = here.pop();
            away.add(one);
            return one;
        }

        synchronized void put(Object one) {
            if (away.remove(one)) {
                here.push(one);
                notify();
            } else {
                alarm = true;
            }
        }
    }

    /** Two places, of which who takes one is told which. */
    static final class Sides {
        private boolean left, right;

        synchronized boolean take() throws InterruptedException {
            while (left && right) {
                wait();
            }
            if (!left) {
                left = true;
                return true;
            }
            right = true;
            return false;
        }

        synchronized void give(boolean isLeft) {
            if (isLeft) {
                left = false;
            } else {
                right = false;
            }
            notifyAll();
        }
    }

    /** Begins with less than it can keep; what is poured in beyond that is lost. */
    static final class Tokens {
        private final int most = 4;
        private int left = 2;

        synchronized void spend() throws InterruptedException {
            while (left == 0) {
                wait();
            }
            left--;
        }

        synchronized void pour() {
            left = Math.min(most, left + 1);
            notifyAll();
        }
    }

    static void spender() throws InterruptedException {
        TOKENS.spend();
    }

    static void clock() {
        TOKENS.pour();
    }

    /** Held by who has written his name there. */
    static final class Named {
        private String holder = "";

        synchronized void enter(String name) throws InterruptedException {
            while (!holder.equals("")) {
                wait(50);
            }
            holder = name;
        }

        synchronized void leave(String name) {
            if (!holder.equals(name)) {
                throw new IllegalStateException(holder);
            }
            holder = "";
            notify();
        }
    }

    static void named(String name) throws InterruptedException {
        NAMED.enter(name);
        try {
            Thread.sleep(1);
        } finally {
            NAMED.leave(name);
        }
    }

    /** Bits that two others set. */
    static final class Parts {
        static final int HEAD = 1, BODY = 2;
        private int done;

        synchronized void written(int part) {
            done |= part;
            if (done == (HEAD | BODY)) {
                notifyAll();
            }
        }

        synchronized void play() throws InterruptedException {
            while ((done & HEAD) == 0 || (done & BODY) == 0) {
                wait();
            }
        }
    }

    static void write(int part) {
        parts.written(part);
    }

    /** Two flags. */
    static final class Signatures {
        private boolean first, second;

        synchronized void sign(boolean isFirst) {
            if (isFirst) {
                first = true;
            } else {
                second = true;
            }
            if (first && second) {
                notifyAll();
            }
        }

        synchronized void both() throws InterruptedException {
            while (!first || !second) {
                wait();
            }
        }
    }

    /** Something, or what went wrong. */
    static final class Answer {
        private enum State { OPEN, GOOD, BAD }

        private State state = State.OPEN;
        private Object value;
        private Exception why;

        synchronized void settle(Object result, Exception failure) {
            if (state != State.OPEN) {
                return;
            }
            value = result;
            why = failure;
            state = failure == null ? State.GOOD : State.BAD;
            notifyAll();
        }

        synchronized Object get() throws Exception {
            while (state == State.OPEN) {
                wait();
            }
            if (state == State.BAD) {
                throw why;
            }
            return value;
        }
    }

    /** A full list for an empty one. */
    static final class Exchange {
        private List<Object> one;
        private int step;

        synchronized List<Object> swap(List<Object> mine) throws InterruptedException {
            while (step == 2) {
                wait();
            }
            List<Object> theirs;
            if (step == 1) {
                theirs = one;
                one = mine;
                step = 2;
                notifyAll();
                return theirs;
            }
            one = mine;
            step = 1;
            while (step != 2) {
                wait();
            }
            theirs = one;
            one = null;
            step = 0;
            notifyAll();
            return theirs;
        }
    }

    /** Holds so many bytes, however many come at once. */
    static final class Pipe {
        private final byte[] ring = new byte[16];
        private int from;
        private int count;

        synchronized void write(byte[] bytes) throws InterruptedException {
            int done = 0;
            while (done < bytes.length) {
                while (count == ring.length) {
                    wait();
                }
                while (done < bytes.length && count < ring.length) {
                    ring[from + count++ & 15] = bytes[done++];
                }
                notifyAll();
            }
        }

        synchronized int read(byte[] bytes) throws InterruptedException {
            while (count == 0) {
                wait();
            }
            int done = 0;
            while (done < bytes.length && count > 0) {
                bytes[done++] = ring[from];
                from = from + 1 & 15;
                count--;
            }
            notifyAll();
            return done;
        }
    }

    /** Which half, an object keeps in a field. */
    static final class Halves {
        private int open = 3;

        synchronized void closed(int half) {
            open &= ~half;
            if (open == 0) {
                notifyAll();
            }
        }

        synchronized void bothClosed() throws InterruptedException {
            while (open != 0) {
                wait();
            }
        }
    }

    static final class Half {
        private final Halves halves;
        private final int which;

        Half(Halves halves, int which) {
            this.halves = halves;
            this.which = which;
        }

        void close() {
            halves.closed(which);
        }
    }

    /** Which quarter, a function keeps. */
    static final class Quarters {
        private int have;

        synchronized void filled(int quarter) {
            have |= quarter;
            if (have == 60) {
                notifyAll();
            }
        }

        synchronized void full() throws InterruptedException {
            while (have != 60) {
                wait();
            }
        }
    }

    static void quarter(Quarters quarters, int which) {
        new Thread(() -> quarters.filled(which)).start();
    }

    static void porter() throws InterruptedException {
        HATCH.open();
    }

    static void boy() {
        HATCH.shut();
    }

    public static void main(String[] args) throws Exception {
        Filled filled = new Filled();
        filled.fill(3);
        Halves halves = new Halves();
        new Thread(new Half(halves, 1)::close).start();
        new Thread(new Half(halves, 2)::close).start();
        halves.bothClosed();
        Quarters quarters = new Quarters();
        quarter(quarters, 4);
        quarter(quarters, 8);
        quarter(quarters, 16);
        quarter(quarters, 32);
        quarters.full();
        new Thread(() -> {
            try {
                filled.put(filled.get());
                RACK.hang(RACK.fetch());
                SIDES.give(SIDES.take());
                job();
                write(Parts.HEAD);
                signatures.sign(true);
                answer.settle("", null);
            } catch (InterruptedException e) {
                answer.settle(null, e);
            }
        }).start();
        write(Parts.BODY);
        signatures.sign(false);
    }
}
