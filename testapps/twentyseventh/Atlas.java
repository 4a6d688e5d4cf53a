// @lock Atlas$Shelf
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Atlas$Shelf.openForReading
// @role read-unlock Atlas$Shelf.close
// @role write-lock Atlas$Shelf.openForDrawing
// @role write-unlock Atlas$Shelf.close
//
// @lock java.lang.Object#rest
// @type DELAY
// @role delay Atlas$Visitor.rest

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An atlas on a shelf, read by many and redrawn by few, strictly in the order in which they asked. */
public class Atlas {
    static volatile String fault;
    static final AtomicLong visits = new AtomicLong();

    static final class Shelf {
        private static final class Request {
            final boolean drawing;

            Request(boolean drawing) {
                this.drawing = drawing;
            }
        }

        private final LinkedList<Request> line = new LinkedList<>();
        private int readers;
        private boolean drawn;

        synchronized void openForReading() throws InterruptedException {
            await(new Request(false));
            readers++;
        }

        synchronized void openForDrawing() throws InterruptedException {
            await(new Request(true));
            drawn = true;
        }

        private void await(Request r) throws InterruptedException {
            line.addLast(r);
            try {
                while (line.getFirst() != r || drawn || r.drawing && readers > 0) {
                    wait();
                }
            } finally {
                line.remove(r);
                notifyAll();
            }
        }

        synchronized void close() {
            if (drawn) {
                drawn = false;
            } else if (readers > 0) {
                readers--;
            } else {
                throw new IllegalStateException("it was not open");
            }
            notifyAll();
        }
    }

    static final Shelf shelf = new Shelf();
    static final int[] coast = new int[12];

    abstract static class Visitor extends Thread {
        private final Object chair = new Object();

        Visitor(String name) {
            super(name);
            setDaemon(true);
        }

        abstract void visit() throws InterruptedException;

        final void rest(int millis) throws InterruptedException {
            synchronized (chair) {
                chair.wait(millis);
            }
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    visit();
                    visits.incrementAndGet();
                    rest(ThreadLocalRandom.current().nextInt(4, 16));
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }
    }

    static final class Reader extends Visitor {
        Reader(int n) {
            super("reader-" + n);
        }

        @Override
        void visit() throws InterruptedException {
            shelf.openForReading();
            try {
                int first = coast[0];
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
                for (int c : coast) {
                    if (c != first) {
                        fault = "half a coast";
                    }
                }
            } finally {
                shelf.close();
            }
        }
    }

    static final class Drawer extends Visitor {
        Drawer(int n) {
            super("drawer-" + n);
        }

        @Override
        void visit() throws InterruptedException {
            shelf.openForDrawing();
            try {
                for (int i = 0; i < coast.length; i++) {
                    coast[i]++;
                    if (i % 6 == 0) {
                        Thread.sleep(1);
                    }
                }
            } finally {
                shelf.close();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            new Reader(i).start();
        }
        for (int i = 0; i < 2; i++) {
            new Drawer(i).start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + visits.get());
        System.exit(0);
    }
}
