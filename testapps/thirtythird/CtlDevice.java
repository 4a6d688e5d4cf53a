// @lock CtlDevice$SemSet
// @type SEMAPHORE permits=3
// @role acquire CtlDevice$SemSet.semop
// @role release CtlDevice$SemSet.semop

// @lock CtlDevice$Fifo
// @type PRODUCER-CONSUMER capacity=8
// @role put CtlDevice$Fifo.io
// @role take CtlDevice$Fifo.io

// @lock CtlDevice$RecordLock
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock CtlDevice$RecordLock.fcntl
// @role write-lock CtlDevice$RecordLock.fcntl
// @role read-unlock CtlDevice$RecordLock.fcntl
// @role write-unlock CtlDevice$RecordLock.fcntl

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** System calls that do everything through one door: semop by a signed number, one io for both directions, fcntl by command. */
public class CtlDevice {

    static class SemSet {
        private int semval;

        SemSet(int initial) {
            semval = initial;
        }

        synchronized void semop(int op) throws InterruptedException {
            if (op < 0) {
                while (semval + op < 0) {
                    wait();
                }
            }
            semval += op;
            if (op > 0) {
                notifyAll();
            }
        }
    }

    static class Fifo {
        private final byte[] buffer = new byte[8];
        private int from;
        private int length;

        synchronized int io(boolean write, int value) throws InterruptedException {
            int result;
            if (write) {
                while (length == buffer.length) {
                    wait();
                }
                buffer[(from + length) % buffer.length] = (byte) value;
                length++;
                result = 0;
            } else {
                while (length == 0) {
                    wait();
                }
                result = buffer[from] & 0xff;
                from = (from + 1) % buffer.length;
                length--;
            }
            notifyAll();
            return result;
        }
    }

    static final int F_RDLCK = 0, F_WRLCK = 1, F_UNLCK = 2;

    static class RecordLock {
        private int shared;
        private Thread exclusive;

        void fcntl(int type) throws InterruptedException {
            synchronized (this) {
                switch (type) {
                    case F_RDLCK:
                        while (exclusive != null) {
                            wait();
                        }
                        shared++;
                        break;
                    case F_WRLCK:
                        while (exclusive != null || shared > 0) {
                            wait();
                        }
                        exclusive = Thread.currentThread();
                        break;
                    case F_UNLCK:
                        if (exclusive == Thread.currentThread()) {
                            exclusive = null;
                        } else {
                            shared--;
                        }
                        notifyAll();
                        break;
                    default:
                        throw new IllegalArgumentException("type " + type);
                }
            }
        }
    }

    static volatile String errno;
    static final AtomicInteger calls = new AtomicInteger();

    interface Process {
        void main() throws InterruptedException;
    }

    static void fork(int n, Process p) {
        for (int i = 0; i < n; i++) {
            Thread t = new Thread() {
                @Override
                public void run() {
                    try {
                        while (errno == null) {
                            p.main();
                            calls.incrementAndGet();
                        }
                    } catch (InterruptedException e) {
                        errno = "EINTR";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
    }

    static void usleep(int least, int most) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(least, most));
    }

    public static void main(String[] argv) throws Exception {
        SemSet sem = new SemSet(3);
        Fifo fifo = new Fifo();
        RecordLock lock = new RecordLock();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        fork(6, () -> {
            sem.semop(-1);
            if (inside.incrementAndGet() > 3) {
                errno = "ERANGE";
            }
            usleep(1, 6);
            inside.decrementAndGet();
            sem.semop(1);
            usleep(0, 4);
        });
        fork(2, () -> {
            for (int k = 0; k < 6; k++) {
                fifo.io(true, 65 + k);
            }
            usleep(2, 9);
        });
        fork(2, () -> {
            int c = fifo.io(false, 0);
            if (c < 65 || c > 70) {
                errno = "EIO";
            }
            usleep(0, 3);
        });
        fork(5, () -> {
            if (ThreadLocalRandom.current().nextInt(4) == 0) {
                lock.fcntl(F_WRLCK);
                if (writers.incrementAndGet() != 1) {
                    errno = "EDEADLK";
                }
                usleep(1, 4);
                writers.decrementAndGet();
            } else {
                lock.fcntl(F_RDLCK);
                if (writers.get() != 0) {
                    errno = "EACCES";
                }
                usleep(1, 4);
            }
            lock.fcntl(F_UNLCK);
            usleep(0, 6);
        });
        System.out.println("READY");
        Thread.sleep(1000L * (argv.length > 0 ? Integer.parseInt(argv[0]) : 600));
        if (errno != null) {
            System.out.println(errno);
            System.exit(1);
        }
        System.out.println("DONE " + calls);
    }
}
