// @lock CourseDatabase$Database
// @type READ-WRITE preference=readers
// @role read-lock CourseDatabase$Database.startRead
// @role read-unlock CourseDatabase$Database.endRead
// @role write-lock CourseDatabase$Database.startWrite
// @role write-unlock CourseDatabase$Database.endWrite

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** The database of the operating systems course: the first readers-writers problem, with readerCount and dbReading. */
public class CourseDatabase {
    static class Database {
        // the number of active readers
        private int readerCount = 0;
        // flags to indicate whether the database is in use
        private boolean dbReading = false;
        private boolean dbWriting = false;

        public synchronized int startRead() {
            while (dbWriting) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    System.err.println(e);
                }
            }
            ++readerCount;
            // if I am the first reader tell all others that the database is being read
            if (readerCount == 1) {
                dbReading = true;
            }
            return readerCount;
        }

        public synchronized int endRead() {
            --readerCount;
            // if I am the last reader tell all others that the database is no longer being read
            if (readerCount == 0) {
                dbReading = false;
                notifyAll();
            }
            return readerCount;
        }

        public synchronized void startWrite() {
            while (dbReading || dbWriting) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    System.err.println(e);
                }
            }
            dbWriting = true;
        }

        public synchronized void endWrite() {
            dbWriting = false;
            notifyAll();
        }
    }

    static final int[] record = new int[4];
    static final AtomicLong accesses = new AtomicLong();
    static volatile boolean torn;

    static void napping(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static class Reader implements Runnable {
        private final Database server;
        private final Random random;

        Reader(int r, Database db) {
            random = new Random(r);
            server = db;
        }

        public void run() {
            while (!torn) {
                napping(2 + random.nextInt(6));
                server.startRead();
                int first = record[0];
                napping(random.nextInt(2));
                for (int x : record) {
                    if (x != first) {
                        torn = true;
                    }
                }
                server.endRead();
                accesses.incrementAndGet();
            }
        }
    }

    static class Writer implements Runnable {
        private final Database server;
        private final Random random;

        Writer(int w, Database db) {
            random = new Random(w);
            server = db;
        }

        public void run() {
            while (!torn) {
                napping(random.nextInt(6));
                server.startWrite();
                int value = random.nextInt();
                for (int i = 0; i < record.length; i++) {
                    record[i] = value;
                    if (i == 1) {
                        napping(1);
                    }
                }
                server.endWrite();
                accesses.incrementAndGet();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Database db = new Database();
        for (int i = 0; i < 6; i++) {
            Thread t = i < 4 ? new Thread(new Reader(i, db)) : new Thread(new Writer(i, db));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (torn) {
            System.err.println("a reader saw half a record");
            System.exit(1);
        }
        System.out.println("DONE " + accesses);
    }
}
