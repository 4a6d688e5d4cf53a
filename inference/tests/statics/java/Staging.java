// @lock Staging$First
// @type LATCH count=1
// @role await Staging$First.get
// @role count-down Staging$First.get
//
// @lock Staging$Kettle
// @type PRODUCER-CONSUMER capacity=6
// @role put Staging$Kettle.fill
// @role take Staging$Kettle.serve
//
// @lock Staging$Range
// @type PRODUCER-CONSUMER capacity=5
// @role put Staging$Range.more
// @role take Staging$Range.next
//
// @lock Staging$Tray
// @type PRODUCER-CONSUMER capacity=4
// @role put Staging$Tray.fill
// @role take Staging$Tray.next
//
// @lock Staging$Task
// @type LATCH count=1
// @role count-down Staging$Task.run
// @role await Staging$Task.result

/** Locks that go through stages, or are filled at once. */
public final class Staging {
    /** Who comes first makes it, outside of the monitor. */
    static final class First {
        private byte stage;
        private Object made;

        Object get() throws InterruptedException {
            synchronized (this) {
                if (stage == 0) {
                    stage = 1;
                } else {
                    while (stage == 1) {
                        wait();
                    }
                    return made;
                }
            }
            Object mine = new Object();
            synchronized (this) {
                made = mine;
                stage = 2;
                notifyAll();
            }
            return mine;
        }
    }

    static final class Kettle {
        private int cups;

        synchronized void serve() throws InterruptedException {
            while (cups == 0) {
                wait();
            }
            cups--;
            if (cups == 0) {
                notifyAll();
            }
        }

        synchronized void fill() throws InterruptedException {
            while (cups > 0) {
                wait();
            }
            cups = 6;
            notifyAll();
        }
    }

    static final class Range {
        private long from;
        private long to;

        synchronized long next() throws InterruptedException {
            if (from == to) {
                notifyAll();
            }
            while (from == to) {
                wait();
            }
            return from++;
        }

        synchronized void more() throws InterruptedException {
            while (from < to) {
                wait();
            }
            to = from + 5;
            notifyAll();
        }
    }

    static final class Tray {
        private final Object[] held = new Object[4];
        private int next = 4;

        synchronized void fill(Object[] items) throws InterruptedException {
            while (next < 4) {
                wait();
            }
            System.arraycopy(items, 0, held, 0, 4);
            next = 0;
            notifyAll();
        }

        synchronized Object next() throws InterruptedException {
            while (next == 4) {
                wait();
            }
            Object item = held[next++];
            if (next == 4) {
                notifyAll();
            }
            return item;
        }
    }

    static final class Task implements Runnable {
        private int stage;
        private int sum;

        @Override
        public void run() {
            synchronized (this) {
                if (stage != 0) {
                    return;
                }
                stage = 1;
            }
            Thread.yield();
            synchronized (this) {
                sum = 7;
                stage = 2;
                notifyAll();
            }
        }

        synchronized int result() throws InterruptedException {
            while (stage < 2) {
                wait();
            }
            return sum;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        First first = new First();
        first.get();
        Kettle kettle = new Kettle();
        kettle.fill();
        kettle.serve();
        Range range = new Range();
        range.more();
        range.next();
        Tray tray = new Tray();
        tray.fill(new Object[] {1, 2, 3, 4});
        tray.next();
        Task task = new Task();
        task.run();
        task.result();
    }
}
