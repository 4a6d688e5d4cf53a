// @lock LeaDirectory$Directory
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock LeaDirectory$RW.beforeRead
// @role read-unlock LeaDirectory$RW.afterRead
// @role write-lock LeaDirectory$RW.beforeWrite
// @role write-unlock LeaDirectory$RW.afterWrite

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** The readers and writers of a classic on concurrent Java: before and after methods around what subclasses do. */
public class LeaDirectory {
    static abstract class RW {
        protected int activeReaders_ = 0;
        protected int activeWriters_ = 0;
        protected int waitingReaders_ = 0;
        protected int waitingWriters_ = 0;

        protected abstract String read_(String key) throws InterruptedException;

        protected abstract void write_(String key, int version) throws InterruptedException;

        public String read(String key) throws InterruptedException {
            beforeRead();
            try {
                return read_(key);
            } finally {
                afterRead();
            }
        }

        public void write(String key, int version) throws InterruptedException {
            beforeWrite();
            try {
                write_(key, version);
            } finally {
                afterWrite();
            }
        }

        protected boolean allowReader() {
            return waitingWriters_ == 0 && activeWriters_ == 0;
        }

        protected boolean allowWriter() {
            return activeReaders_ == 0 && activeWriters_ == 0;
        }

        protected synchronized void beforeRead() throws InterruptedException {
            ++waitingReaders_;
            while (!allowReader()) {
                try {
                    wait();
                } catch (InterruptedException ie) {
                    --waitingReaders_; // roll back state
                    throw ie;
                }
            }
            --waitingReaders_;
            ++activeReaders_;
        }

        protected synchronized void afterRead() {
            --activeReaders_;
            notifyAll();
        }

        protected synchronized void beforeWrite() throws InterruptedException {
            ++waitingWriters_;
            while (!allowWriter()) {
                try {
                    wait();
                } catch (InterruptedException ie) {
                    --waitingWriters_;
                    notifyAll();
                    throw ie;
                }
            }
            --waitingWriters_;
            ++activeWriters_;
        }

        protected synchronized void afterWrite() {
            --activeWriters_;
            notifyAll();
        }
    }

    /** Room and extension of everybody; both carry the same version unless somebody reads half a change. */
    static class Directory extends RW {
        private final Map<String, Integer> room = new HashMap<String, Integer>();
        private final Map<String, Integer> extension = new HashMap<String, Integer>();

        protected String read_(String key) throws InterruptedException {
            Integer r = room.get(key);
            Thread.sleep(1);
            Integer x = extension.get(key);
            if (r == null ? x != null : !r.equals(x)) {
                throw new IllegalStateException(key + " has moved to room " + r + " without the telephone");
            }
            return key + r;
        }

        protected void write_(String key, int version) throws InterruptedException {
            room.put(key, version);
            Thread.sleep(1);
            extension.put(key, version);
        }
    }

    static volatile String failed;

    static class Caller extends Thread {
        final Directory directory;
        final Random random;
        final boolean secretary;
        volatile int calls;

        Caller(Directory directory, int id) {
            this.directory = directory;
            this.random = new Random(id);
            this.secretary = id < 2;
            setDaemon(true);
        }

        public void run() {
            try {
                while (failed == null) {
                    String key = "p" + random.nextInt(8);
                    if (secretary) {
                        directory.write(key, calls);
                        sleep(3 + random.nextInt(5));
                    } else {
                        directory.read(key);
                        sleep(1 + random.nextInt(3));
                    }
                    calls++;
                }
            } catch (InterruptedException e) {
                failed = "interrupted";
            } catch (IllegalStateException e) {
                failed = e.getMessage();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Directory directory = new Directory();
        Caller[] callers = new Caller[7];
        for (int i = 0; i < callers.length; i++) {
            callers[i] = new Caller(directory, i);
            callers[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (failed != null) {
            System.out.println(failed);
            System.exit(1);
        }
        int calls = 0;
        for (Caller c : callers) {
            calls += c.calls;
        }
        System.out.println("DONE " + calls);
    }
}
