import java.util.LinkedList;

// @lock Crowds$Modes
// @type CONDITION
// @role wait Crowds$Modes.share
// @role wait Crowds$Modes.intend
// @role notify Crowds$Modes.shareNoMore
// @role notify Crowds$Modes.intendNoMore
//
// @lock Crowds$Latest
// @type PRODUCER-CONSUMER capacity=5
// @role put Crowds$Latest.put
// @role take Crowds$Latest.get
//
// @lock Crowds$Upgrading
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Crowds$Upgrading.read
// @role read-unlock Crowds$Upgrading.readNoMore
// @role write-lock Crowds$Upgrading.write
// @role write-unlock Crowds$Upgrading.writeNoMore
//
// @lock java.util.LinkedList#open
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Crowds$Requests.ask
// @role take Crowds$Requests.answer
//
// @lock Crowds$Berths
// @type SEMAPHORE permits=8
// @role acquire Crowds$Berths.moor
// @role release Crowds$Berths.castOff
//
// @lock Crowds$Load
// @type SEMAPHORE permits=10
// @role acquire Crowds$Load.put
// @role release Crowds$Load.takeOff
public final class Crowds {
    static Berths berths = new Berths();
    static Load load = new Load();
    static Modes modes = new Modes();
    static Latest latest = new Latest();
    static Upgrading upgrading = new Upgrading();
    static Requests requests = new Requests();

    /** Every ship takes three berths of eight: two fit in at a time. */
    static final class Berths {
        private int free = 8;

        synchronized void moor() throws InterruptedException {
            while (free < 3) {
                wait();
            }
            free -= 3;
        }

        synchronized void castOff() {
            free += 3;
            notifyAll();
        }
    }

    /** The same counted the other way: what there is comes in fours, and ten is the most. */
    static final class Load {
        private long there;

        synchronized void put() throws InterruptedException {
            while (there + 4 > 10) {
                wait();
            }
            there += 4;
        }

        synchronized void takeOff() {
            there -= 4;
            notifyAll();
        }
    }

    /** Three kinds of holders, of which two share with their own kind and one with nobody: a room for one of the two at a time. */
    static final class Modes {
        private int shared;
        private int intending;
        private boolean excluding;

        synchronized void share() throws InterruptedException {
            while (excluding || intending > 0) {
                wait();
            }
            shared++;
        }

        synchronized void shareNoMore() {
            shared--;
            notifyAll();
        }

        synchronized void intend() throws InterruptedException {
            while (excluding || shared > 0) {
                wait();
            }
            intending++;
        }

        synchronized void intendNoMore() {
            intending--;
            notifyAll();
        }

        synchronized void exclude() throws InterruptedException {
            while (excluding || shared > 0 || intending > 0) {
                wait();
            }
            excluding = true;
        }

        synchronized void excludeNoMore() {
            excluding = false;
            notifyAll();
        }
    }

    /** Keeps what came last. */
    static final class Latest {
        private final Object[] ring = new Object[5];
        private int head;
        private int count;

        synchronized void put(Object thing) {
            if (count == ring.length) {
                head = (head + 1) % ring.length;
                count--;
            }
            ring[(head + count) % ring.length] = thing;
            count++;
            notifyAll();
        }

        synchronized Object get() throws InterruptedException {
            while (count == 0) {
                wait();
            }
            Object thing = ring[head];
            ring[head] = null;
            head = (head + 1) % ring.length;
            count--;
            return thing;
        }
    }

    /** A reader may become the writer. */
    static final class Upgrading {
        private int readers;
        private boolean writing;
        private boolean upgrading;

        synchronized void read() throws InterruptedException {
            while (writing || upgrading) {
                wait();
            }
            readers++;
        }

        synchronized void readNoMore() {
            readers--;
            notifyAll();
        }

        synchronized boolean upgrade() throws InterruptedException {
            if (upgrading) {
                return false;
            }
            upgrading = true;
            while (readers > 1) {
                wait();
            }
            upgrading = false;
            readers--;
            writing = true;
            return true;
        }

        synchronized void write() throws InterruptedException {
            while (writing || readers > 0) {
                wait();
            }
            writing = true;
        }

        synchronized void writeNoMore() {
            writing = false;
            notifyAll();
        }
    }

    /** Who puts something in waits for what comes of it. */
    static final class Requests {
        private final LinkedList<Request> open = new LinkedList<>();

        void ask() throws InterruptedException {
            Request request = new Request();
            synchronized (open) {
                open.add(request);
                open.notifyAll();
            }
            request.answered();
        }

        void answer() throws InterruptedException {
            Request request;
            synchronized (open) {
                while (open.isEmpty()) {
                    open.wait();
                }
                request = open.removeFirst();
            }
            request.answer();
        }
    }

    static final class Request {
        private boolean done;

        synchronized void answered() throws InterruptedException {
            while (!done) {
                wait();
            }
        }

        synchronized void answer() {
            done = true;
            notifyAll();
        }
    }
}
