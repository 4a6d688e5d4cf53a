// A template for read-write locks: the waiting is written once, in two views of the lock; subclasses say who may go first.
// A gazetteer is kept under the form that prefers writers, a weather table under the one that prefers readers.
//
// @lock RwViews$WriterPreferenceLock
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock RwViews$RwTemplate$ReaderView.acquire
// @role read-lock RwViews$RwTemplate$ReaderView.attempt
// @role read-unlock RwViews$RwTemplate$ReaderView.release
// @role write-lock RwViews$RwTemplate$WriterView.acquire
// @role write-unlock RwViews$RwTemplate$WriterView.release
//
// @lock RwViews$ReaderPreferenceLock
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock RwViews$RwTemplate$ReaderView.acquire
// @role read-unlock RwViews$RwTemplate$ReaderView.release
// @role write-lock RwViews$RwTemplate$WriterView.acquire
// @role write-unlock RwViews$RwTemplate$WriterView.release
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class RwViews {

    interface Sync {
        void acquire() throws InterruptedException;
        boolean attempt(long msecs) throws InterruptedException;
        void release();
    }

    abstract static class RwTemplate {
        protected int activeReaders_, waitingWriters_;
        protected Thread activeWriter_;
        private final Sync reader_ = new ReaderView();
        private final Sync writer_ = new WriterView();

        protected abstract boolean allowReader();

        protected boolean allowWriter() { return activeReaders_ == 0 && activeWriter_ == null; }

        Sync readLock() { return reader_; }
        Sync writeLock() { return writer_; }

        final class ReaderView implements Sync {
            @Override public void acquire() throws InterruptedException {
                synchronized (RwTemplate.this) {
                    while (!allowReader()) RwTemplate.this.wait();
                    ++activeReaders_;
                }
            }

            @Override public boolean attempt(long msecs) throws InterruptedException {
                long deadline = System.currentTimeMillis() + msecs;
                synchronized (RwTemplate.this) {
                    while (!allowReader()) {
                        long left = deadline - System.currentTimeMillis();
                        if (left <= 0) return false;
                        RwTemplate.this.wait(left);
                    }
                    ++activeReaders_;
                    return true;
                }
            }

            @Override public void release() {
                synchronized (RwTemplate.this) {
                    if (--activeReaders_ == 0) RwTemplate.this.notifyAll();
                }
            }
        }

        final class WriterView implements Sync {
            @Override public void acquire() throws InterruptedException {
                synchronized (RwTemplate.this) {
                    ++waitingWriters_;
                    try {
                        while (!allowWriter()) RwTemplate.this.wait();
                        activeWriter_ = Thread.currentThread();
                    } catch (InterruptedException e) {
                        RwTemplate.this.notifyAll();
                        throw e;
                    } finally {
                        --waitingWriters_;
                    }
                }
            }

            @Override public boolean attempt(long msecs) throws InterruptedException {
                throw new UnsupportedOperationException("writers do not give up");
            }

            @Override public void release() {
                synchronized (RwTemplate.this) {
                    activeWriter_ = null;
                    RwTemplate.this.notifyAll();
                }
            }
        }
    }

    static final class WriterPreferenceLock extends RwTemplate {
        @Override protected boolean allowReader() { return activeWriter_ == null && waitingWriters_ == 0; }
    }

    static final class ReaderPreferenceLock extends RwTemplate {
        @Override protected boolean allowReader() { return activeWriter_ == null; }
    }

    static class Table {
        final RwTemplate lock;
        private volatile int left, right;

        Table(RwTemplate lock) { this.lock = lock; }

        void look(int min, int max) throws InterruptedException {
            int l = left;
            nap(min, max);
            check(l == right, "half an edit was read");
            ops.incrementAndGet();
        }

        void edit() throws InterruptedException {
            int v = left + 1;
            left = v;
            nap(1, 3);
            right = v;
            ops.incrementAndGet();
        }
    }

    static final Table gazetteer = new Table(new WriterPreferenceLock());
    static final Table weather = new Table(new ReaderPreferenceLock());

    static void read(Table t) throws InterruptedException {
        t.lock.readLock().acquire();
        try {
            t.look(2, 6);
        } finally {
            t.lock.readLock().release();
        }
    }

    static void write(Table t) throws InterruptedException {
        t.lock.writeLock().acquire();
        try {
            t.edit();
        } finally {
            t.lock.writeLock().release();
        }
    }

    static void begin() {
        for (int i = 0; i < 3; i++) {
            spawn("traveller-" + i, () -> {
                read(gazetteer);
                nap(1, 4);
            });
            spawn("pilot-" + i, () -> {
                read(weather);
                nap(6, 14);
            });
        }
        spawn("tourist", () -> {
            if (gazetteer.lock.readLock().attempt(15)) {
                try {
                    gazetteer.look(1, 2);
                } finally {
                    gazetteer.lock.readLock().release();
                }
            }
            nap(3, 8);
        });
        for (int i = 0; i < 2; i++) {
            spawn("editor-" + i, () -> {
                write(gazetteer);
                nap(6, 14);
            });
            spawn("station-" + i, () -> {
                write(weather);
                nap(5, 12);
            });
        }
    }

    static final AtomicLong ops = new AtomicLong();
    static volatile String broken;

    interface Step { void run() throws InterruptedException; }

    static void check(boolean ok, String what) { if (!ok) broken = what; }

    static void nap(int min, int max) throws InterruptedException {
        Thread.sleep(min + ThreadLocalRandom.current().nextInt(max - min + 1));
    }

    static void spawn(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) step.run();
            } catch (InterruptedException e) {
                broken = name + " was interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        begin();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) Thread.sleep(50);
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
