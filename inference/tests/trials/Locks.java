import java.util.HashSet;
import java.util.LinkedList;
import java.util.Set;

/** Locks that keep their state in unlike ways. */
class Locks {
    static class Counting {
        private int n;

        Counting(int n) {
            this.n = n;
        }

        synchronized void a() throws InterruptedException {
            while (n == 0) {
                wait();
            }
            n--;
        }

        synchronized boolean b(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000;
            while (n == 0) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                wait(left / 1_000_000 + 1);
            }
            n--;
            return true;
        }

        synchronized void c() {
            n++;
            notify();
        }
    }

    static class Owned {
        private Thread owner;
        private int depth;

        void in() throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (this) {
                while (owner != null && owner != me) {
                    wait();
                }
                owner = me;
                depth++;
            }
        }

        void out() {
            synchronized (this) {
                if (owner != Thread.currentThread()) {
                    throw new IllegalMonitorStateException();
                }
                if (--depth == 0) {
                    owner = null;
                    notify();
                }
            }
        }
    }

    /** Readers in the low bits of a long, the writer in the highest. */
    static class Packed {
        private static final long WRITER = 1L << 62;
        private long state;

        synchronized void r() throws InterruptedException {
            while ((state & WRITER) != 0) {
                wait();
            }
            state += 1L;
        }

        synchronized void s() {
            if ((--state & (WRITER - 1)) == 0) {
                notifyAll();
            }
        }

        synchronized void w() throws InterruptedException {
            while (state != 0) {
                wait();
            }
            state |= WRITER;
        }

        synchronized void x() {
            state &= ~WRITER;
            notifyAll();
        }
    }

    static class ListBuffer<T> {
        private final LinkedList<T> items = new LinkedList<>();
        private final int most;

        ListBuffer(int most) {
            this.most = most;
        }

        synchronized void put(T t) throws InterruptedException {
            while (items.size() >= most) {
                wait();
            }
            items.addLast(t);
            notifyAll();
        }

        synchronized T take() throws InterruptedException {
            while (items.isEmpty()) {
                wait();
            }
            notifyAll();
            return items.removeFirst();
        }
    }

    static class Ring {
        private final Object[] cells;
        private int head;
        private int used;

        Ring(int size) {
            cells = new Object[size];
        }

        void put(Object o) throws InterruptedException {
            synchronized (cells) {
                while (used == cells.length) {
                    cells.wait();
                }
                cells[(head + used++) % cells.length] = o;
                cells.notifyAll();
            }
        }

        Object take() throws InterruptedException {
            synchronized (cells) {
                while (used == 0) {
                    cells.wait();
                }
                Object o = cells[head];
                head = (head + 1) % cells.length;
                used--;
                cells.notifyAll();
                return o;
            }
        }
    }

    static class Meeting {
        private final int parties;
        private int here;
        private int generation;

        Meeting(int parties) {
            this.parties = parties;
        }

        synchronized int meet() throws InterruptedException {
            int mine = generation;
            int index = here++;
            if (here == parties) {
                here = 0;
                generation++;
                notifyAll();
            }
            while (mine == generation) {
                wait();
            }
            return index;
        }
    }

    static class Roll {
        private final Set<Integer> missing = new HashSet<>();

        Roll(int size) {
            for (int i = 0; i < size; i++) {
                missing.add(i);
            }
        }

        synchronized void tick(int who) {
            if (missing.remove(who) && missing.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void all() throws InterruptedException {
            for (;;) {
                if (missing.isEmpty()) {
                    return;
                }
                wait();
            }
        }
    }

    static class Outer {
        private int readers;
        private boolean writing;
        final Reading reading = new Reading();
        final Writing writing2 = new Writing();

        class Reading {
            void lock() throws InterruptedException {
                synchronized (Outer.this) {
                    while (writing) {
                        Outer.this.wait();
                    }
                    readers++;
                }
            }

            void unlock() {
                synchronized (Outer.this) {
                    if (--readers == 0) {
                        Outer.this.notifyAll();
                    }
                }
            }
        }

        class Writing {
            void lock() throws InterruptedException {
                synchronized (Outer.this) {
                    while (writing || readers > 0) {
                        Outer.this.wait();
                    }
                    writing = true;
                }
            }

            void unlock() {
                synchronized (Outer.this) {
                    writing = false;
                    Outer.this.notifyAll();
                }
            }
        }
    }

    static class Plain {
        private int free = 1;

        synchronized void in() throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
        }

        synchronized void out() {
            free++;
            notify();
        }
    }

    /** Gives back only what was taken: what it overrides would not look. */
    static class Checked extends Plain {
        private int taken;

        @Override
        synchronized void in() throws InterruptedException {
            super.in();
            taken++;
        }

        @Override
        synchronized void out() {
            if (taken > 0) {
                taken--;
                super.out();
            }
        }
    }
}
