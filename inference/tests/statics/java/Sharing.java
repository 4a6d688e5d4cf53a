import java.util.HashMap;
import java.util.Map;

// @lock Sharing$Hatch
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Sharing$Hatch.i
// @role read-unlock Sharing$Hatch.j
// @role write-lock Sharing$Hatch.k
// @role write-unlock Sharing$Hatch.l
//
// @lock Sharing$Simple
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Sharing$Simple.r
// @role read-unlock Sharing$Simple.ru
// @role write-lock Sharing$Simple.w
// @role write-unlock Sharing$Simple.wu
//
// @lock Sharing$Polite
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Sharing$Polite.a
// @role read-unlock Sharing$Polite.b
// @role write-lock Sharing$Polite.c
// @role write-unlock Sharing$Polite.d
//
// @lock Sharing$Tides
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Sharing$Tides.e
// @role read-unlock Sharing$Tides.f
// @role write-lock Sharing$Tides.g
// @role write-unlock Sharing$Tides.h
//
// @lock java.lang.Object#in
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Sharing$One.in
// @role read-unlock Sharing$One.out
// @role write-lock Sharing$One.lock
// @role write-unlock Sharing$One.unlock
//
// @lock Sharing$Owned
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock Sharing$Owned.readLock
// @role read-unlock Sharing$Owned.readUnlock
// @role write-lock Sharing$Owned.writeLock
// @role write-unlock Sharing$Owned.writeUnlock
//
// @lock Sharing$Views
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Sharing$Views$R.lock
// @role read-unlock Sharing$Views$R.unlock
// @role write-lock Sharing$Views$W.lock
// @role write-unlock Sharing$Views$W.unlock
//
// @lock Sharing$WritersFirst
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Sharing$Template$Reading.lock
// @role read-unlock Sharing$Template$Reading.unlock
// @role write-lock Sharing$Template$Writing.lock
// @role write-unlock Sharing$Template$Writing.unlock
//
// @lock Sharing$ReadersFirst
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Sharing$Template$Reading.lock
// @role read-unlock Sharing$Template$Reading.unlock
// @role write-lock Sharing$Template$Writing.lock
// @role write-unlock Sharing$Template$Writing.unlock
//
// @lock Sharing$Packed
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Sharing$Packed.look
// @role read-unlock Sharing$Packed.look
// @role write-lock Sharing$Packed.begin
// @role write-unlock Sharing$Packed.end
//
// @lock Sharing$Claimed
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Sharing$Claimed.b
// @role read-unlock Sharing$Claimed.c
// @role write-lock Sharing$Claimed.d
// @role write-unlock Sharing$Claimed.e
//
// @lock Sharing$Numbered
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Sharing$Numbered.b
// @role read-unlock Sharing$Numbered.c
// @role write-lock Sharing$Numbered.d
// @role write-unlock Sharing$Numbered.e
/** Readers and writers. */
public class Sharing {
    static class Simple {
        private int readers;
        private boolean writing;

        synchronized void r() throws InterruptedException {
            while (writing) {
                wait();
            }
            readers++;
        }

        synchronized void ru() {
            readers--;
            notifyAll();
        }

        synchronized void w() throws InterruptedException {
            while (writing || readers > 0) {
                wait();
            }
            writing = true;
        }

        synchronized void wu() {
            writing = false;
            notifyAll();
        }
    }

    /** A writer keeps readers out before he waits for those inside. */
    static class Claimed {
        private boolean f;
        private int g;

        synchronized void b() throws InterruptedException {
            while (f) {
                wait();
            }
            g++;
        }

        synchronized void c() {
            if (--g == 0) {
                notifyAll();
            }
        }

        synchronized void d() throws InterruptedException {
            while (f) {
                wait();
            }
            f = true;
            while (g > 0) {
                wait();
            }
        }

        synchronized void e() {
            f = false;
            notifyAll();
        }
    }

    /** The same by numbers that are drawn: who came first goes first. */
    static class Numbered {
        private boolean f;
        private int g;
        private int drawn;
        private int up;

        synchronized void b() throws InterruptedException {
            int mine = drawn++;
            while (mine != up || f) {
                wait();
            }
            g++;
            up++;
            notifyAll();
        }

        synchronized void c() {
            if (--g == 0) {
                notifyAll();
            }
        }

        synchronized void d() throws InterruptedException {
            int mine = drawn++;
            while (mine != up || f) {
                wait();
            }
            f = true;
            up++;
            notifyAll();
            while (g > 0) {
                wait();
            }
        }

        synchronized void e() {
            f = false;
            notifyAll();
        }
    }

    /** Waiting writers keep readers out; an interrupted writer takes its name off. */
    static class Polite {
        private int e;
        private int f;
        private int g;

        synchronized void a() throws InterruptedException {
            while (f > 0 || g > 0) {
                wait();
            }
            e++;
        }

        synchronized void b() {
            if (--e == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            g++;
            try {
                while (e > 0 || f > 0) {
                    wait();
                }
            } finally {
                g--;
            }
            f++;
        }

        synchronized void d() {
            f--;
            notifyAll();
        }
    }

    static class One {
        private final Object o = new Object();
        private int state;

        void in() throws InterruptedException {
            synchronized (o) {
                while (state < 0) {
                    o.wait();
                }
                state++;
            }
        }

        void out() {
            synchronized (o) {
                state--;
                if (state == 0) {
                    o.notify();
                }
            }
        }

        void lock() throws InterruptedException {
            synchronized (o) {
                while (state != 0) {
                    o.wait();
                }
                state = -1;
            }
        }

        void unlock() {
            synchronized (o) {
                state = 0;
                o.notifyAll();
            }
        }
    }

    static class Owned {
        private final Map<Thread, Integer> holds = new HashMap<>();
        private Thread writer;
        private int depth;

        synchronized void readLock() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me) {
                wait();
            }
            holds.put(me, holds.containsKey(me) ? holds.get(me) + 1 : 1);
        }

        synchronized void readUnlock() {
            Thread me = Thread.currentThread();
            int n = holds.get(me);
            if (n == 1) {
                holds.remove(me);
                notifyAll();
            } else {
                holds.put(me, n - 1);
            }
        }

        synchronized void writeLock() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (writer == me) {
                depth++;
                return;
            }
            while (writer != null || !holds.isEmpty()) {
                wait();
            }
            writer = me;
            depth = 1;
        }

        synchronized void writeUnlock() {
            if (--depth == 0) {
                writer = null;
                notifyAll();
            }
        }
    }

    interface Lock {
        void lock() throws InterruptedException;

        void unlock();
    }

    static class Views {
        private int active;
        private int wanting;
        private boolean exclusive;

        class R implements Lock {
            @Override
            public void lock() throws InterruptedException {
                synchronized (Views.this) {
                    while (exclusive || wanting != 0) {
                        Views.this.wait();
                    }
                    active++;
                }
            }

            @Override
            public void unlock() {
                synchronized (Views.this) {
                    active--;
                    Views.this.notifyAll();
                }
            }
        }

        class W implements Lock {
            @Override
            public void lock() throws InterruptedException {
                synchronized (Views.this) {
                    wanting++;
                    while (exclusive || active > 0) {
                        Views.this.wait();
                    }
                    wanting--;
                    exclusive = true;
                }
            }

            @Override
            public void unlock() {
                synchronized (Views.this) {
                    exclusive = false;
                    Views.this.notifyAll();
                }
            }
        }
    }

    /** A bit marks the writer, the rest counts readers, who lock and unlock in one method. */
    static class Packed {
        private int bits;
        private int data;

        int look() throws InterruptedException {
            synchronized (this) {
                while ((bits & 1 << 20) != 0) {
                    wait();
                }
                bits++;
            }
            int seen = data;
            synchronized (this) {
                if (--bits == 0) {
                    notifyAll();
                }
            }
            return seen;
        }

        private synchronized void begin() throws InterruptedException {
            while (bits != 0) {
                wait();
            }
            bits = 1 << 20;
        }

        private synchronized void end() {
            bits = 0;
            notifyAll();
        }

        void change(int to) throws InterruptedException {
            begin();
            try {
                data = to;
            } finally {
                end();
            }
        }
    }

    static final Template[] BOTH = {new WritersFirst(), new ReadersFirst()};

    /** Written once, in two views; who goes first is for subclasses to say. */
    abstract static class Template {
        int reading, waiting;
        boolean writing;
        final Reading r = new Reading();
        final Writing w = new Writing();

        abstract boolean mayRead();

        final class Reading {
            void lock() throws InterruptedException {
                synchronized (Template.this) {
                    while (!mayRead()) {
                        Template.this.wait();
                    }
                    reading++;
                }
            }

            void unlock() {
                synchronized (Template.this) {
                    if (--reading == 0) {
                        Template.this.notifyAll();
                    }
                }
            }
        }

        final class Writing {
            void lock() throws InterruptedException {
                synchronized (Template.this) {
                    waiting++;
                    while (reading > 0 || writing) {
                        Template.this.wait();
                    }
                    waiting--;
                    writing = true;
                }
            }

            void unlock() {
                synchronized (Template.this) {
                    writing = false;
                    Template.this.notifyAll();
                }
            }
        }
    }

    static final class WritersFirst extends Template {
        @Override
        boolean mayRead() {
            return !writing && waiting == 0;
        }
    }

    static final class ReadersFirst extends Template {
        @Override
        boolean mayRead() {
            return !writing;
        }
    }

    /** Who waits behind a writer reads before the next one writes. */
    static final class Tides {
        private int in;
        private int early;
        private int late;
        private int through;
        private boolean out;

        synchronized void e() throws InterruptedException {
            early++;
            while (out || (late > 0 && through == 0)) {
                wait();
            }
            early--;
            if (through > 0) {
                through--;
            }
            in++;
        }

        synchronized void f() {
            if (--in == 0) {
                notifyAll();
            }
        }

        synchronized void g() throws InterruptedException {
            late++;
            while (out || in > 0 || through > 0) {
                wait();
            }
            late--;
            out = true;
        }

        synchronized void h() {
            out = false;
            through = early;
            notifyAll();
        }
    }

    /** Who writes shuts it and then waits for the others to leave; who is next then is a matter of who wakes first. */
    static final class Hatch {
        private int inside;
        private boolean shut;

        synchronized void i() throws InterruptedException {
            while (shut) {
                wait();
            }
            inside++;
        }

        synchronized void j() {
            if (--inside == 0) {
                notifyAll();
            }
        }

        synchronized void k() throws InterruptedException {
            shuts();
            while (inside > 0) {
                wait();
            }
        }

        private void shuts() throws InterruptedException {
            while (shut) {
                wait();
            }
            shut = true;
        }

        synchronized void l() {
            shut = false;
            notifyAll();
        }
    }
}
