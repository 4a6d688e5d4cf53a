// @lock PrintRoom$Gate
// @type SEMAPHORE permits=3
// @role acquire PrintRoom$Gate.enter
// @role release PrintRoom$Gate.leave

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Three printers, eight people with something to print. */
public final class PrintRoom {
    static final class Gate {
        private int free;

        Gate(int printers) {
            free = printers;
        }

        synchronized void enter() throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
        }

        synchronized void leave() {
            free++;
            notify();
        }
    }

    private final Gate gate = new Gate(3);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong pages = new AtomicLong();
    private volatile boolean overrun;
    private volatile boolean closed;

    private void person() {
        try {
            while (!closed) {
                gate.enter();
                try {
                    if (inside.incrementAndGet() > 3) {
                        overrun = true;
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
                    pages.incrementAndGet();
                } finally {
                    inside.decrementAndGet();
                    gate.leave();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PrintRoom room = new PrintRoom();
        Thread[] people = new Thread[8];
        for (int i = 0; i < people.length; i++) {
            people[i] = new Thread(room::person, "person-" + i);
            people[i].setDaemon(true);
            people[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        room.closed = true;
        for (Thread t : people) {
            t.join(5_000);
        }
        if (room.overrun || room.inside.get() != 0) {
            throw new IllegalStateException("more people than printers, or somebody never left");
        }
        System.out.println("DONE " + room.pages);
    }
}
