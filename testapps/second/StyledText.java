// @lock StyledText$PlainText
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock StyledText$Text.readLock
// @role read-unlock StyledText$Text.readUnlock
// @role write-lock StyledText$Text.writeLock
// @role write-unlock StyledText$Text.writeUnlock

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** An editor document: painting and spell-checking threads read, typing threads write, writers nest. */
public class StyledText {
    abstract static class Text {
        private Thread writer;
        private int writerDepth;
        private int readers;

        protected final synchronized void writeLock() {
            try {
                while (readers > 0 || writer != null) {
                    if (Thread.currentThread() == writer) {
                        writerDepth++;
                        return;
                    }
                    wait();
                }
                writer = Thread.currentThread();
                writerDepth = 1;
            } catch (InterruptedException e) {
                throw new Error("Interrupted attempt to acquire write lock");
            }
        }

        protected final synchronized void writeUnlock() {
            if (--writerDepth <= 0) {
                writerDepth = 0;
                writer = null;
                notifyAll();
            }
        }

        public final synchronized void readLock() {
            try {
                while (writer != null) {
                    if (writer == Thread.currentThread()) {
                        return;
                    }
                    wait();
                }
                readers += 1;
            } catch (InterruptedException e) {
                throw new Error("Interrupted attempt to acquire read lock");
            }
        }

        public final synchronized void readUnlock() {
            if (writer == Thread.currentThread()) {
                return;
            }
            if (readers <= 0) {
                throw new IllegalStateException("no reader");
            }
            readers -= 1;
            notify();
        }

        final void render(Runnable r) {
            readLock();
            try {
                r.run();
            } finally {
                readUnlock();
            }
        }

        abstract void insert(char c, Random rnd);

        abstract boolean consistent();
    }

    static final class PlainText extends Text {
        private final char[] chars = new char[64];
        private int len;
        private int checksum;

        @Override
        void insert(char c, Random rnd) {
            writeLock();
            try {
                if (len == chars.length) {
                    clear();
                }
                chars[len++] = c;
                pause(rnd.nextInt(2));
                checksum += c;
                if (!consistent()) {
                    throw new IllegalStateException("write under way twice");
                }
            } finally {
                writeUnlock();
            }
        }

        private void clear() {
            writeLock();
            try {
                len = 0;
                checksum = 0;
            } finally {
                writeUnlock();
            }
        }

        @Override
        boolean consistent() {
            readLock();
            try {
                int sum = 0;
                for (int i = 0; i < len; i++) {
                    sum += chars[i];
                }
                return sum == checksum;
            } finally {
                readUnlock();
            }
        }
    }

    static volatile boolean wrong;

    static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] a) {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final Text doc = new PlainText();
        final AtomicLong ops = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            final Random rnd = new Random(i);
            Thread painter = new Thread(() -> {
                while (true) {
                    doc.render(() -> {
                        if (!doc.consistent()) {
                            wrong = true;
                        }
                        pause(rnd.nextInt(3));
                    });
                    ops.incrementAndGet();
                    pause(4 + rnd.nextInt(8));
                }
            }, "painter-" + i);
            painter.setDaemon(true);
            painter.start();
        }
        for (int i = 0; i < 2; i++) {
            final Random rnd = new Random(10 + i);
            Thread typist = new Thread(() -> {
                try {
                    while (true) {
                        doc.insert((char) ('a' + rnd.nextInt(26)), rnd);
                        ops.incrementAndGet();
                        pause(2 + rnd.nextInt(6));
                    }
                } catch (RuntimeException e) {
                    wrong = true;
                }
            }, "typist-" + i);
            typist.setDaemon(true);
            typist.start();
        }
        System.out.println("READY");
        System.out.flush();
        pause(seconds * 1000);
        if (wrong) {
            System.out.println("torn document");
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
