// @lock Told$Gate
// @type SEMAPHORE permits=3
// @role acquire Told.in
// @role release Told.out
//
// @lock Told$Line
// @type PRODUCER-CONSUMER capacity=5
// @role put Told.add
// @role take Told.next

/** Locks whose numbers are told by main, as C fills a struct. */
public final class Told {
    static final class Gate {
        int left;
    }

    static final class Line {
        int size;
        int most;
        Object[] items;
        int first;
    }

    private static final Gate gate = new Gate();

    static void in(Gate g) throws InterruptedException {
        synchronized (g) {
            while (g.left == 0) {
                g.wait();
            }
            g.left--;
        }
    }

    static void out(Gate g) {
        synchronized (g) {
            g.left++;
            g.notify();
        }
    }

    static void add(Line l, Object item) throws InterruptedException {
        synchronized (l) {
            while (l.size == l.most) {
                l.wait();
            }
            l.items[(l.first + l.size) % l.most] = item;
            l.size++;
            l.notifyAll();
        }
    }

    static Object next(Line l) throws InterruptedException {
        synchronized (l) {
            while (l.size == 0) {
                l.wait();
            }
            Object item = l.items[l.first];
            l.first = (l.first + 1) % l.most;
            l.size--;
            l.notifyAll();
            return item;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Line line = new Line();
        line.most = 5;
        line.items = new Object[5];
        gate.left = 3;
        in(gate);
        out(gate);
        add(line, gate);
        next(line);
    }
}
