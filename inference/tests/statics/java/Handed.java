import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

// @lock Handed$Slots
// @type SEMAPHORE permits=3
// @role acquire Handed$Slots.open
// @role release Handed$Slots$Slot.close
//
// @lock Handed$Ticketed
// @type SEMAPHORE permits=2
// @role acquire Handed$Ticketed.enter
// @role release Handed$Ticketed$1.close
//
// @lock Handed$Excl
// @type LOCK
// @role lock Handed$Excl.grab
// @role unlock Handed$Excl$Key.release
//
// @lock Handed$Rw
// @type READ-WRITE
// @role read-lock Handed$Rw.read
// @role read-unlock Handed$Rw$Hold.close
// @role write-lock Handed$Rw.write
// @role write-unlock Handed$Rw$Hold.close
//
// @lock Handed$Gate
// @type SEMAPHORE permits=4
// @role acquire Handed$Gate.take
// @role release Handed$Gate.give
//
// @lock Handed$PerHost
// @type SEMAPHORE
// @role acquire Handed$PerHost.in
// @role release Handed$PerHost.out
//
// @lock Handed$Names
// @type LOCK
// @role lock Handed$Names.lock
// @role unlock Handed$Names.unlock
//
// @lock Handed$Rooms
// @type SEMAPHORE
// @role acquire Handed$Rooms.enter
// @role release Handed$Rooms.leave
//
// @lock Handed$RowRw
// @type READ-WRITE
// @role read-lock Handed$RowRw.shared
// @role read-unlock Handed$RowRw.endShared
// @role write-lock Handed$RowRw.alone
// @role write-unlock Handed$RowRw.endAlone
//
// @lock Handed$Stage
// @type CONDITION
// @role wait Handed$Stage.until
// @role notify Handed$Stage.next
//
// @lock Handed$Level
// @type CONDITION
// @role wait Handed$Level.await
// @role notify Handed$Level.raise
//
// @lock Handed$Probe
// @type CONDITION
// @role wait Handed$Probe.awaitThat
// @role notify Handed$Probe.set
//
// @lock Handed$Newer
// @type CONDITION
// @role wait Handed$Newer.after
// @role notify Handed$Newer.publish
//
// @lock Handed$Guarded
// @type READ-WRITE
// @role read-lock Handed$Guarded.r0
// @role read-unlock Handed$Guarded.r1
// @role write-lock Handed$Guarded.w0
// @role write-unlock Handed$Guarded.w1
//
// @lock Handed$Pause
// @type CONDITION form=resettable-event
// @role wait Handed$Pause.pass
// @role notify Handed$Pause.resume
//
// @lock Handed$Conns
// @type SEMAPHORE permits=2 form=object-pool
// @role acquire Handed$Conns.get
// @role release Handed$Conns.put
// @role release Handed$Conns.discard
//
// @lock Handed$Turn
// @type LOCK reentrant=false
// @role lock Handed$Turn.take
// @role unlock Handed$Turn$Lent.back
/** Locks whose operations need what others gave, or tell things apart by keys. */
public class Handed {
    static class Slots {
        private final int most;
        private int out;

        Slots(int most) {
            this.most = most;
        }

        synchronized Slot open() throws InterruptedException {
            while (out == most) {
                wait();
            }
            out++;
            return new Slot();
        }

        class Slot implements AutoCloseable {
            private boolean closed;

            public void close() {
                synchronized (Slots.this) {
                    if (closed) {
                        return;
                    }
                    closed = true;
                    out--;
                    Slots.this.notify();
                }
            }
        }

        static Slots make() {
            return new Slots(3);
        }
    }

    static class Ticketed {
        private int free = 2;

        AutoCloseable enter() throws InterruptedException {
            synchronized (this) {
                while (free == 0) {
                    wait();
                }
                free--;
            }
            return new AutoCloseable() {
                public void close() {
                    synchronized (Ticketed.this) {
                        free++;
                        Ticketed.this.notifyAll();
                    }
                }
            };
        }
    }

    static class Excl {
        private Key held;

        Key grab() throws InterruptedException {
            synchronized (this) {
                while (held != null) {
                    wait();
                }
                held = new Key(this);
                return held;
            }
        }

        static class Key {
            private final Excl of;

            Key(Excl of) {
                this.of = of;
            }

            void release() {
                synchronized (of) {
                    if (of.held != this) {
                        throw new IllegalStateException();
                    }
                    of.held = null;
                    of.notify();
                }
            }
        }
    }

    static class Rw {
        private int state;

        synchronized Hold read() throws InterruptedException {
            while (state < 0) {
                wait();
            }
            state++;
            return new Hold(this, false);
        }

        synchronized Hold write() throws InterruptedException {
            while (state != 0) {
                wait();
            }
            state = -1;
            return new Hold(this, true);
        }

        static class Hold {
            private final Rw rw;
            private final boolean write;

            Hold(Rw rw, boolean write) {
                this.rw = rw;
                this.write = write;
            }

            void close() {
                synchronized (rw) {
                    if (write) {
                        rw.state = 0;
                    } else {
                        rw.state--;
                    }
                    rw.notifyAll();
                }
            }
        }
    }

    /** A permit is a number that is given back. */
    static class Gate {
        private final Deque<Integer> ids = new ArrayDeque<>();

        Gate() {
            for (int i = 0; i < 4; i++) {
                ids.add(i);
            }
        }

        synchronized int take() throws InterruptedException {
            while (ids.isEmpty()) {
                wait();
            }
            return ids.pop();
        }

        synchronized void give(int id) {
            ids.push(id);
            notify();
        }
    }

    static class PerHost {
        static class Count {
            int n;
        }

        private final Map<String, Count> all = new HashMap<>();
        private final int most;

        PerHost(int most) {
            this.most = most;
        }

        void in(String host) throws InterruptedException {
            synchronized (all) {
                Count c = all.computeIfAbsent(host, h -> new Count());
                while (c.n >= most) {
                    all.wait();
                }
                c.n++;
            }
        }

        void out(String host) {
            synchronized (all) {
                Count c = all.get(host);
                c.n--;
                all.notifyAll();
            }
        }
    }

    static class Names {
        private final Set<String> busy = new HashSet<>();

        synchronized void lock(String name) throws InterruptedException {
            while (!busy.add(name)) {
                wait();
            }
        }

        synchronized void unlock(String name) {
            busy.remove(name);
            notifyAll();
        }
    }

    static class Rooms {
        private final Map<Integer, List<Thread>> inside = new HashMap<>();

        synchronized void enter(int room) throws InterruptedException {
            List<Thread> who = inside.get(room);
            if (who == null) {
                who = new ArrayList<>();
                inside.put(room, who);
            }
            while (who.size() >= 3) {
                wait();
            }
            who.add(Thread.currentThread());
        }

        synchronized void leave(int room) {
            inside.get(room).remove(Thread.currentThread());
            notifyAll();
        }
    }

    static class RowRw {
        private final Map<Long, Integer> holds = new HashMap<>();

        synchronized void shared(long row) throws InterruptedException {
            while (holds.getOrDefault(row, 0) < 0) {
                wait();
            }
            holds.merge(row, 1, Integer::sum);
        }

        synchronized void endShared(long row) {
            holds.merge(row, -1, Integer::sum);
            notifyAll();
        }

        synchronized void alone(long row) throws InterruptedException {
            while (holds.getOrDefault(row, 0) != 0) {
                wait();
            }
            holds.put(row, -1);
        }

        synchronized void endAlone(long row) {
            holds.remove(row);
            notifyAll();
        }
    }

    enum Step {
        NEW, READY, RUNNING, DONE
    }

    static class Stage {
        private Step step = Step.NEW;

        synchronized void until(Step wanted) throws InterruptedException {
            while (step != wanted) {
                wait();
            }
        }

        synchronized void next(Step to) {
            step = to;
            notifyAll();
        }
    }

    static class Level {
        private Step step = Step.NEW;

        synchronized boolean await(Step least, long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (step.compareTo(least) < 0) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }

        synchronized void raise() {
            if (step != Step.DONE) {
                step = Step.values()[step.ordinal() + 1];
                notifyAll();
            }
        }
    }

    static class Probe {
        private int value;

        synchronized int awaitThat(IntPredicate test) throws InterruptedException {
            while (!test.test(value)) {
                wait();
            }
            return value;
        }

        synchronized void set(int v) {
            value = v;
            notifyAll();
        }
    }

    static class Newer {
        static class Doc {
            final long version;
            final String text;

            Doc(long version, String text) {
                this.version = version;
                this.text = text;
            }
        }

        private Doc latest;

        synchronized Doc after(long version) throws InterruptedException {
            while (latest == null || latest.version <= version) {
                wait();
            }
            return latest;
        }

        synchronized void publish(String text) {
            latest = new Doc(latest == null ? 1 : latest.version + 1, text);
            notifyAll();
        }
    }

    static class Guarded {
        private int readers;
        private boolean writing;

        <T> T reading(Supplier<T> body) {
            r0();
            try {
                return body.get();
            } finally {
                r1();
            }
        }

        void writing(Runnable body) {
            w0();
            try {
                body.run();
            } finally {
                w1();
            }
        }

        private synchronized void r0() {
            while (writing) {
                pause();
            }
            readers++;
        }

        private synchronized void r1() {
            readers--;
            notifyAll();
        }

        private synchronized void w0() {
            while (writing || readers > 0) {
                pause();
            }
            writing = true;
        }

        private synchronized void w1() {
            writing = false;
            notifyAll();
        }

        private void pause() {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Pause {
        private Boolean on = Boolean.FALSE;

        synchronized void pass() throws InterruptedException {
            while (on) {
                wait();
            }
        }

        synchronized void resume() {
            on = Boolean.FALSE;
            notifyAll();
        }

        synchronized void pause() {
            on = Boolean.TRUE;
        }
    }

    static class Conns {
        static class Conn {
            int uses;
        }

        private final ArrayDeque<Conn> idle = new ArrayDeque<>();
        private int made;

        synchronized Conn get(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (idle.isEmpty() && made == 2) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    throw new IllegalStateException("none");
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            if (idle.isEmpty()) {
                made++;
                return new Conn();
            }
            return idle.poll();
        }

        synchronized void put(Conn c) {
            idle.add(c);
            notify();
        }

        synchronized void discard(Conn c) {
            made--;
            notify();
        }
    }

    static class Turn {
        private boolean out;

        Lent borrow() throws InterruptedException {
            take();
            return new Lent(this);
        }

        synchronized void take() throws InterruptedException {
            while (out) {
                wait();
            }
            out = true;
        }

        static class Lent {
            private final Turn from;

            Lent(Turn from) {
                this.from = from;
            }

            void back() {
                synchronized (from) {
                    from.out = false;
                    from.notify();
                }
            }
        }
    }
}
