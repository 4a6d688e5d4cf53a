// @lock PthreadPort$pthread_rwlock_t
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock PthreadPort.pthread_rwlock_rdlock
// @role write-lock PthreadPort.pthread_rwlock_wrlock
// @role read-unlock PthreadPort.pthread_rwlock_unlock
// @role write-unlock PthreadPort.pthread_rwlock_unlock

// @lock PthreadPort$pthread_barrier_t
// @type BARRIER parties=5
// @role arrive PthreadPort.pthread_barrier_wait

// @lock PthreadPort$pthread_mutex_t
// @type LOCK reentrant=false
// @role lock PthreadPort.pthread_mutex_lock
// @role unlock PthreadPort.pthread_mutex_unlock

// @lock PthreadPort$sem_t
// @type SEMAPHORE permits=2
// @role acquire PthreadPort.sem_wait
// @role release PthreadPort.sem_post

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A C program ported line by line: structs, and functions over them; errors are numbers. */
public final class PthreadPort {
    static final int EINTR = 4, EPERM = 1, EINVAL = 22;
    static final int PTHREAD_BARRIER_SERIAL_THREAD = -1;

    static final class pthread_rwlock_t {
        int lock; /* > 0: readers, -1: a writer */
    }

    static final class pthread_barrier_t {
        int count;
        int in;
        int cycle;
    }

    static final class pthread_mutex_t {
        long owner;
    }

    static final class sem_t {
        int value;
    }

    static int pthread_rwlock_rdlock(pthread_rwlock_t rw) {
        synchronized (rw) {
            while (rw.lock < 0) {
                try {
                    rw.wait();
                } catch (InterruptedException e) {
                    return EINTR;
                }
            }
            ++rw.lock;
        }
        return 0;
    }

    static int pthread_rwlock_wrlock(pthread_rwlock_t rw) {
        synchronized (rw) {
            while (rw.lock != 0) {
                try {
                    rw.wait();
                } catch (InterruptedException e) {
                    return EINTR;
                }
            }
            rw.lock = -1;
        }
        return 0;
    }

    static int pthread_rwlock_unlock(pthread_rwlock_t rw) {
        synchronized (rw) {
            if (rw.lock == 0) {
                return EPERM;
            }
            if (rw.lock < 0) {
                rw.lock = 0;
            } else {
                --rw.lock;
            }
            if (rw.lock == 0) {
                rw.notifyAll();
            }
        }
        return 0;
    }

    static int pthread_barrier_wait(pthread_barrier_t b) {
        synchronized (b) {
            int cycle = b.cycle;
            if (++b.in == b.count) {
                b.in = 0;
                b.cycle = ~b.cycle;
                b.notifyAll();
                return PTHREAD_BARRIER_SERIAL_THREAD;
            }
            while (cycle == b.cycle) {
                try {
                    b.wait();
                } catch (InterruptedException e) {
                    return EINTR;
                }
            }
        }
        return 0;
    }

    static int pthread_mutex_lock(pthread_mutex_t m) {
        long self = Thread.currentThread().getId();
        synchronized (m) {
            if (m.owner == self) {
                return EINVAL;
            }
            while (m.owner != 0) {
                try {
                    m.wait();
                } catch (InterruptedException e) {
                    return EINTR;
                }
            }
            m.owner = self;
        }
        return 0;
    }

    static int pthread_mutex_unlock(pthread_mutex_t m) {
        synchronized (m) {
            if (m.owner != Thread.currentThread().getId()) {
                return EPERM;
            }
            m.owner = 0;
            m.notify();
        }
        return 0;
    }

    static int sem_wait(sem_t s) {
        synchronized (s) {
            while (s.value <= 0) {
                try {
                    s.wait();
                } catch (InterruptedException e) {
                    return EINTR;
                }
            }
            s.value--;
        }
        return 0;
    }

    static int sem_post(sem_t s) {
        synchronized (s) {
            s.value++;
            s.notify();
        }
        return 0;
    }

    static final pthread_rwlock_t table_lock = new pthread_rwlock_t();
    static final pthread_barrier_t round = new pthread_barrier_t();
    static final pthread_mutex_t out = new pthread_mutex_t();
    static final sem_t disks = new sem_t();
    static final AtomicInteger writers = new AtomicInteger(), printing = new AtomicInteger(), spinning = new AtomicInteger();
    static final AtomicInteger arrived = new AtomicInteger();
    static int rounds;
    static volatile String assertion;

    static void check(boolean ok, String what) {
        if (!ok) {
            assertion = what;
        }
    }

    static void usleep(int least, int most) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(least, most));
    }

    static void worker(int id) throws InterruptedException {
        for (;;) {
            if (ThreadLocalRandom.current().nextInt(4) == 0) {
                check(pthread_rwlock_wrlock(table_lock) == 0, "wrlock");
                check(writers.incrementAndGet() == 1, "writers");
                usleep(1, 3);
                writers.decrementAndGet();
                check(pthread_rwlock_unlock(table_lock) == 0, "unlock");
            } else {
                check(pthread_rwlock_rdlock(table_lock) == 0, "rdlock");
                check(writers.get() == 0, "reader beside a writer");
                usleep(1, 4);
                check(pthread_rwlock_unlock(table_lock) == 0, "unlock");
            }
            sem_wait(disks);
            check(spinning.incrementAndGet() <= 2, "disks");
            usleep(1, 3);
            spinning.decrementAndGet();
            sem_post(disks);
            check(pthread_mutex_lock(out) == 0, "mutex");
            check(printing.incrementAndGet() == 1, "printing");
            usleep(0, 2);
            printing.decrementAndGet();
            check(pthread_mutex_unlock(out) == 0, "mutex unlock");
            arrived.incrementAndGet();
            if (pthread_barrier_wait(round) == PTHREAD_BARRIER_SERIAL_THREAD) {
                rounds++;
                check(arrived.get() >= rounds * 5, "a round too early");
            }
        }
    }

    public static void main(String[] argv) throws InterruptedException {
        round.count = 5;
        disks.value = 2;
        for (int i = 0; i < 5; i++) {
            final int id = i;
            Thread t = new Thread("w" + i) {
                @Override
                public void run() {
                    try {
                        worker(id);
                    } catch (InterruptedException e) {
                        assertion = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * (argv.length > 0 ? Integer.parseInt(argv[0]) : 600));
        if (assertion != null) {
            System.out.println(assertion);
            System.exit(1);
        }
        System.out.println("DONE " + arrived);
    }
}
