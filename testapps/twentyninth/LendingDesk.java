// @lock LendingDesk$Latch
// @type SEMAPHORE permits=2
// @role acquire LendingDesk$Latch.close
// @role release LendingDesk$Latch.open
// @lock LendingDesk$Semaphore
// @type READ-WRITE preference=readers
// @role read-lock LendingDesk$Semaphore.down
// @role read-unlock LendingDesk$Semaphore.up
// @role write-lock LendingDesk$Semaphore.acquire
// @role write-unlock LendingDesk$Semaphore.release

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two reading rooms, each behind a latch; the catalogue is guarded by what somebody once called a semaphore. */
public final class LendingDesk {

    /** Locks the door of one of the rooms from inside. */
    static final class Latch {
        private final boolean[] closed = new boolean[2];

        private int anyOpen() {
            for (int i = 0; i < closed.length; i++) {
                if (!closed[i]) {
                    return i;
                }
            }
            return -1;
        }

        synchronized int close() throws InterruptedException {
            int room = anyOpen();
            while (room < 0) {
                wait();
                room = anyOpen();
            }
            closed[room] = true;
            return room;
        }

        synchronized void open(int room) {
            closed[room] = false;
            notify();
        }
    }

    static final class Semaphore {
        /** Number of those who look something up; minus one while somebody edits. */
        private int count;

        synchronized void down() throws InterruptedException {
            while (count < 0) {
                wait();
            }
            ++count;
        }

        synchronized void up() {
            if (--count == 0) {
                notifyAll();
            }
        }

        synchronized void acquire() throws InterruptedException {
            while (count != 0) {
                wait();
            }
            --count;
        }

        synchronized void release() {
            ++count;
            notifyAll();
        }
    }

    private static final AtomicInteger[] inRoom = {new AtomicInteger(), new AtomicInteger()};
    private static final AtomicLong visits = new AtomicLong();
    private static String title = "0";
    private static String shelf = "0";
    private static volatile String complaint;

    private static void reader(Latch latch, Semaphore catalogue) throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!Thread.currentThread().isInterrupted()) {
            catalogue.down();
            try {
                String t = title;
                Thread.sleep(random.nextInt(1, 4));
                if (!t.equals(shelf)) {
                    complaint = "book " + t + " is not on " + shelf;
                }
            } finally {
                catalogue.up();
            }
            int room = latch.close();
            try {
                if (inRoom[room].incrementAndGet() != 1) {
                    complaint = "room " + room + " is taken";
                }
                Thread.sleep(random.nextInt(2, 7));
            } finally {
                inRoom[room].decrementAndGet();
                latch.open(room);
            }
            visits.incrementAndGet();
            Thread.sleep(random.nextInt(2, 8));
        }
    }

    private static void librarian(Semaphore catalogue, int step) throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            catalogue.acquire();
            try {
                title = String.valueOf(Long.parseLong(title) + step);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            } finally {
                shelf = title;
                catalogue.release();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
        }
    }

    private static Thread person(int i, Latch latch, Semaphore catalogue) {
        return new Thread(() -> {
            try {
                if (i < 5) {
                    reader(latch, catalogue);
                } else {
                    librarian(catalogue, i);
                }
            } catch (InterruptedException e) {
                // closing time
            }
        }, "person-" + i);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Latch latch = new Latch();
        Semaphore catalogue = new Semaphore();
        Thread[] people = new Thread[7];
        for (int i = 0; i < people.length; i++) {
            people[i] = person(i, latch, catalogue);
            people[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        for (Thread t : people) {
            t.interrupt();
        }
        for (Thread t : people) {
            t.join();
        }
        if (complaint != null) {
            throw new IllegalStateException(complaint);
        }
        System.out.println("DONE " + visits);
    }
}
