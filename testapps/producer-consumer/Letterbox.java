// @lock Letterbox$Box
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put Letterbox$Box.deliver
// @role take Letterbox$Box.collect

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Three households, a letterbox each that holds one letter; two postmen serve them all. */
public final class Letterbox {
    static final class Box {
        private boolean full;
        private long letter;

        synchronized void deliver(long l) throws InterruptedException {
            while (full) {
                wait();
            }
            letter = l;
            full = true;
            notifyAll();
        }

        synchronized long collect() throws InterruptedException {
            while (!full) {
                wait();
            }
            full = false;
            notifyAll();
            return letter;
        }
    }

    private static final AtomicLong written = new AtomicLong();
    private static final AtomicLong read = new AtomicLong();
    private static final AtomicLong letters = new AtomicLong();
    private static volatile boolean stop;

    private static void postman(Box[] boxes) {
        try {
            for (int i = 0; !stop; i++) {
                long letter = ThreadLocalRandom.current().nextLong(1, 100);
                boxes[i % boxes.length].deliver(letter);
                written.addAndGet(letter);
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void household(Box box) {
        try {
            for (long letter = box.collect(); letter != 0; letter = box.collect()) {
                read.addAndGet(letter);
                letters.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Box[] boxes = {new Box(), new Box(), new Box()};
        Thread[] people = new Thread[5];
        for (int i = 0; i < people.length; i++) {
            int k = i;
            people[i] = i < 3 ? new Thread(() -> household(boxes[k]), "household-" + i)
                : new Thread(() -> postman(boxes), "postman-" + i);
            people[i].setDaemon(true);
            people[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        people[3].join(5_000);
        people[4].join(5_000);
        for (Box b : boxes) {
            b.deliver(0);
        }
        for (Thread t : people) {
            t.join(5_000);
        }
        if (written.get() != read.get()) {
            throw new IllegalStateException(written + " written, " + read + " read");
        }
        System.out.println("DONE " + letters);
    }
}
