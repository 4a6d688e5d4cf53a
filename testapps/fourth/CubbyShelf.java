// @lock CubbyShelf
// @type PRODUCER-CONSUMER capacity=1
// @role put CubbyShelf.store
// @role take CubbyShelf.fetch

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A pigeonhole in the wall between two offices: one note at a time, and a flag that says whether one is in it. */
public class CubbyShelf {
    private long contents;
    private boolean available = false;

    synchronized long fetch() throws InterruptedException {
        while (available == false) {
            wait();
        }
        available = false;
        notifyAll();
        return contents;
    }

    synchronized void store(long value) throws InterruptedException {
        while (available == true) {
            wait();
        }
        contents = value;
        available = true;
        notifyAll();
    }

    private static final AtomicLong stored = new AtomicLong();
    private static final AtomicLong fetched = new AtomicLong();
    private static final AtomicLong notes = new AtomicLong();

    private static class Clerk extends Thread {
        private final CubbyShelf shelf;
        private final boolean writer;

        Clerk(CubbyShelf shelf, boolean writer) {
            this.shelf = shelf;
            this.writer = writer;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (long i = 1;; i++) {
                    if (writer) {
                        stored.addAndGet(i);
                        shelf.store(i);
                    } else {
                        fetched.addAndGet(shelf.fetch());
                        notes.incrementAndGet();
                    }
                    sleep(ThreadLocalRandom.current().nextInt(1, i % 40 < 20 == writer ? 3 : 9));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        CubbyShelf shelf = new CubbyShelf();
        for (int i = 0; i < 4; i++) {
            new Clerk(shelf, i < 2).start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fetched.get() > stored.get() || notes.get() == 0) {
            throw new IllegalStateException("notes out of nowhere");
        }
        System.out.println("DONE " + notes);
    }
}
