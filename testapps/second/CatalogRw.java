// @lock CatalogRw$Catalog
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock CatalogRw$RW.beforeRead
// @role read-unlock CatalogRw$RW.afterRead
// @role write-lock CatalogRw$RW.beforeWrite
// @role write-unlock CatalogRw$RW.afterWrite

import java.util.Random;

/** Readers and writers as a template-method base class: before/after advice around read_ and write_. */
public class CatalogRw {
    abstract static class RW {
        protected int activeReaders = 0;
        protected int activeWriters = 0;
        protected int waitingReaders = 0;
        protected int waitingWriters = 0;

        protected abstract void read_() throws InterruptedException;

        protected abstract void write_() throws InterruptedException;

        public void read() throws InterruptedException {
            beforeRead();
            try {
                read_();
            } finally {
                afterRead();
            }
        }

        public void write() throws InterruptedException {
            beforeWrite();
            try {
                write_();
            } finally {
                afterWrite();
            }
        }

        protected boolean allowReader() {
            return waitingWriters == 0 && activeWriters == 0;
        }

        protected boolean allowWriter() {
            return activeReaders == 0 && activeWriters == 0;
        }

        protected synchronized void beforeRead() throws InterruptedException {
            ++waitingReaders;
            while (!allowReader()) {
                try {
                    wait();
                } catch (InterruptedException ie) {
                    --waitingReaders;
                    throw ie;
                }
            }
            --waitingReaders;
            ++activeReaders;
        }

        protected synchronized void afterRead() {
            --activeReaders;
            notifyAll();
        }

        protected synchronized void beforeWrite() throws InterruptedException {
            ++waitingWriters;
            while (!allowWriter()) {
                try {
                    wait();
                } catch (InterruptedException ie) {
                    --waitingWriters;
                    throw ie;
                }
            }
            --waitingWriters;
            ++activeWriters;
        }

        protected synchronized void afterWrite() {
            --activeWriters;
            notifyAll();
        }
    }

    static class Catalog extends RW {
        private final int[] price = new int[32];
        private int revision;
        volatile String broken;
        volatile int reads;
        volatile int writes;
        private final Random rnd = new Random(4);

        @Override
        protected void read_() throws InterruptedException {
            int r = revision;
            Thread.sleep(rnd.nextInt(3));
            for (int p : price) {
                if (p != r) {
                    broken = "reader saw half a revision";
                }
            }
            reads++;
        }

        @Override
        protected void write_() throws InterruptedException {
            revision++;
            for (int i = 0; i < price.length; i++) {
                price[i]++;
                if (i == 16) {
                    Thread.sleep(1);
                }
            }
            writes++;
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final Catalog c = new Catalog();
        Thread[] ts = new Thread[5];
        for (int i = 0; i < ts.length; i++) {
            final boolean writer = i >= 3;
            ts[i] = new Thread(() -> {
                try {
                    while (c.broken == null) {
                        if (writer) {
                            c.write();
                            Thread.sleep(5);
                        } else {
                            c.read();
                            Thread.sleep(2);
                        }
                    }
                } catch (InterruptedException e) {
                    // end of the shift
                }
            });
            ts[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        String broken = c.broken;
        for (Thread t : ts) {
            t.interrupt();
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + (c.reads + c.writes));
        System.exit(0);
    }
}
