// @lock ReadingRoom$Desk
// @type READ-WRITE preference=readers
// @role read-lock ReadingRoom$Desk.startRead
// @role read-unlock ReadingRoom$Desk.endRead
// @role write-lock ReadingRoom$Desk.startWrite
// @role write-unlock ReadingRoom$Desk.endWrite

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Readers and writers, first problem: as long as anybody reads, others may join; the writers see to it that they get a turn. */
public class ReadingRoom {
    static class Desk {
        private int readers = 0;
        private boolean writing = false;

        public synchronized void startRead() throws InterruptedException {
            while (writing) {
                wait();
            }
            readers++;
        }

        public synchronized void endRead() {
            readers--;
            if (readers == 0) {
                notify(); // only writers can be waiting now
            }
        }

        public synchronized void startWrite() throws InterruptedException {
            while (readers > 0 || writing) {
                wait();
            }
            writing = true;
        }

        public synchronized void endWrite() {
            writing = false;
            notifyAll();
        }
    }

    private final Desk desk = new Desk();
    private int left;
    private int right;
    static final AtomicLong torn = new AtomicLong();
    static final AtomicLong visits = new AtomicLong();

    void reader() throws InterruptedException {
        while (true) {
            desk.startRead();
            int seen = left;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (seen != right) {
                torn.incrementAndGet();
            }
            desk.endRead();
            visits.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 14));
        }
    }

    void writer() throws InterruptedException {
        while (true) {
            desk.startWrite();
            left++;
            Thread.sleep(2);
            right++;
            desk.endWrite();
            visits.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ReadingRoom room = new ReadingRoom();
        for (int i = 0; i < 6; i++) {
            boolean writes = i < 2;
            Thread t = new Thread((writes ? "writer-" : "reader-") + i) {
                @Override
                public void run() {
                    try {
                        if (writes) {
                            room.writer();
                        } else {
                            room.reader();
                        }
                    } catch (InterruptedException e) {
                        interrupt();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (torn.get() > 0) {
            throw new IllegalStateException(torn + " torn reads");
        }
        System.out.println("DONE " + visits);
    }
}
