// @lock PyLedger$RLock
// @type LOCK reentrant=true
// @role lock PyLedger$RLock.acquire
// @role unlock PyLedger$RLock.release

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Project accounts rewritten from a Python script, its threading.RLock and its "with" included. */
public final class PyLedger {
    static final class RLock {
        private Thread _owner = null;
        private int _count = 0;

        /** As in Python: not blocking at all, for ever (timeout -1), or for so many milliseconds. */
        boolean acquire(boolean blocking, long timeout) throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (this) {
                if (_owner == me) {
                    _count += 1;
                    return true;
                }
                long endtime = System.nanoTime() + timeout * 1_000_000;
                while (_owner != null) {
                    if (!blocking) {
                        return false;
                    }
                    if (timeout < 0) {
                        wait();
                    } else {
                        long left = (endtime - System.nanoTime()) / 1_000_000;
                        if (left <= 0) {
                            return false;
                        }
                        wait(left);
                    }
                }
                _owner = me;
                _count = 1;
                return true;
            }
        }

        void release() {
            synchronized (this) {
                if (_owner != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("cannot release un-acquired lock");
                }
                _count -= 1;
                if (_count == 0) {
                    _owner = null;
                    notifyAll();
                }
            }
        }
    }

    static <T> T with(RLock lock, Callable<T> body) throws Exception {
        lock.acquire(true, -1);
        try {
            return body.call();
        } finally {
            lock.release();
        }
    }

    static final class Accounts {
        private final RLock lock = new RLock();
        private final Map<String, Integer> balance = new LinkedHashMap<>();

        int get(String name) throws Exception {
            return with(lock, () -> balance.getOrDefault(name, 0));
        }

        int book(String name, int amount) throws Exception {
            return with(lock, () -> {
                int before = get(name);
                Thread.sleep(1);
                balance.put(name, before + amount);
                return get(name);
            });
        }

        void transfer(String from, String to, int amount) throws Exception {
            with(lock, () -> book(from, -amount) + book(to, amount));
        }

        /** The sum of all, or null if the books are busy for too long. */
        Integer total() throws Exception {
            if (!lock.acquire(true, 50)) {
                return null;
            }
            try {
                int sum = 0;
                for (String name : balance.keySet()) {
                    sum += get(name);
                }
                return sum;
            } finally {
                lock.release();
            }
        }
    }

    private static final AtomicLong booked = new AtomicLong();
    private static volatile Throwable failure;

    private static void forever(Callable<?> step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.call();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                }
            } catch (Exception e) {
                failure = e;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Accounts accounts = new Accounts();
        String[] names = {"travel", "books", "coffee", "rent"};
        for (int i = 0; i < 4; i++) {
            String a = names[i];
            String b = names[(i + 1) % 4];
            forever(() -> {
                accounts.transfer(a, b, ThreadLocalRandom.current().nextInt(50));
                return booked.incrementAndGet();
            });
        }
        for (int i = 0; i < 2; i++) {
            forever(() -> {
                Integer sum = accounts.total();
                if (sum != null && sum != 0) {
                    throw new IllegalStateException("the books are out by " + sum);
                }
                return sum;
            });
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + booked);
    }
}
