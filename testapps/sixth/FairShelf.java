// @lock FairShelf$Access
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock FairShelf$Access.startReading
// @role read-unlock FairShelf$Access.stopReading
// @role write-lock FairShelf$Access.startWriting
// @role write-unlock FairShelf$Access.stopWriting

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A shared document store: requests are admitted in order of arrival, each waits on a record of its own. */
public final class FairShelf {
    private static final class Request {
        final boolean exclusive;
        private boolean admitted;

        Request(boolean exclusive) {
            this.exclusive = exclusive;
        }

        void awaitAdmission() throws InterruptedException {
            synchronized (this) {
                while (!admitted) {
                    wait();
                }
            }
        }

        void admit() {
            synchronized (this) {
                admitted = true;
                notify();
            }
        }
    }

    private static final class Access {
        private final LinkedList<Request> line = new LinkedList<>();
        private int readers;
        private boolean writer;

        private boolean free(boolean exclusive) {
            return !writer && (!exclusive || readers == 0);
        }

        private void count(boolean exclusive) {
            if (exclusive) {
                writer = true;
            } else {
                readers++;
            }
        }

        /** Admits from the head of the line: one writer, or all readers up to the next writer. */
        private void admitNext() {
            while (!line.isEmpty() && free(line.getFirst().exclusive)) {
                Request request = line.removeFirst();
                count(request.exclusive);
                request.admit();
            }
        }

        void startReading() throws InterruptedException {
            Request request;
            synchronized (this) {
                if (line.isEmpty() && free(false)) {
                    count(false);
                    return;
                }
                request = new Request(false);
                line.addLast(request);
            }
            request.awaitAdmission();
        }

        void startWriting() throws InterruptedException {
            Request request;
            synchronized (this) {
                if (line.isEmpty() && free(true)) {
                    count(true);
                    return;
                }
                request = new Request(true);
                line.addLast(request);
            }
            request.awaitAdmission();
        }

        synchronized void stopReading() {
            readers--;
            admitNext();
        }

        synchronized void stopWriting() {
            writer = false;
            admitNext();
        }
    }

    private static final String[] shelf = {"", "", ""};
    private static final Access access = new Access();
    private static final AtomicLong visits = new AtomicLong();
    private static volatile Throwable fault;

    private static void read() throws InterruptedException {
        access.startReading();
        try {
            String first = shelf[0];
            Thread.sleep(1);
            if (!first.equals(shelf[1]) || !first.equals(shelf[2])) {
                throw new IllegalStateException("half an edit on the shelf");
            }
        } finally {
            access.stopReading();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
    }

    private static void write() throws InterruptedException {
        access.startWriting();
        try {
            String next = Long.toHexString(ThreadLocalRandom.current().nextLong());
            for (int i = 0; i < shelf.length; i++) {
                shelf[i] = next;
                if (i == 1) {
                    Thread.sleep(1);
                }
            }
        } finally {
            access.stopWriting();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
    }

    interface Visit {
        void make() throws InterruptedException;
    }

    private static void visitor(Visit visit, String name) {
        Thread t = new Thread(() -> {
            try {
                while (fault == null) {
                    visit.make();
                    visits.incrementAndGet();
                }
            } catch (Throwable e) {
                fault = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 5; i++) {
            visitor(FairShelf::read, "reader-" + i);
        }
        for (int i = 0; i < 3; i++) {
            visitor(FairShelf::write, "editor-" + i);
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
        System.out.println("DONE " + visits);
    }
}
