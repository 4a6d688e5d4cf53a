// @lock AlmanacDesk$rwlock_t
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock AlmanacDesk.rw_rdlock
// @role write-lock AlmanacDesk.rw_wrlock
// @role read-unlock AlmanacDesk.rw_unlock
// @role write-unlock AlmanacDesk.rw_unlock

import java.util.concurrent.atomic.AtomicLong;

/** An almanac looked up by many and corrected by some; a struct and three functions, as the C library had them. */
public final class AlmanacDesk {
    static final class rwlock_t {
        int active; // readers, or -1 for a writer
        int pending_writers;
    }

    static final class almanac_t {
        final rwlock_t lock = new rwlock_t();
        final int[] tide = new int[8];
    }

    static int rw_rdlock(rwlock_t rw) {
        synchronized (rw) {
            while (rw.active < 0 || rw.pending_writers > 0) {
                if (cond_wait(rw) != 0) {
                    return -1;
                }
            }
            ++rw.active;
        }
        return 0;
    }

    static int rw_wrlock(rwlock_t rw) {
        synchronized (rw) {
            ++rw.pending_writers;
            while (rw.active != 0) {
                if (cond_wait(rw) != 0) {
                    --rw.pending_writers;
                    return -1;
                }
            }
            --rw.pending_writers;
            rw.active = -1;
        }
        return 0;
    }

    static void rw_unlock(rwlock_t rw) {
        synchronized (rw) {
            if (rw.active == -1) {
                rw.active = 0;
            } else {
                --rw.active;
            }
            if (rw.active == 0) {
                rw.notifyAll();
            }
        }
    }

    static int cond_wait(Object cv) {
        try {
            cv.wait();
            return 0;
        } catch (InterruptedException e) {
            return -1;
        }
    }

    static void msleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static final AtomicLong lookups = new AtomicLong();
    static volatile int bad;

    static void look_up(almanac_t al, int n) {
        for (int i = n;; i++) {
            if (rw_rdlock(al.lock) != 0) {
                return;
            }
            int first = al.tide[0];
            msleep(1 + i % 3);
            for (int hour : al.tide) {
                if (hour != first) {
                    bad = 1;
                }
            }
            rw_unlock(al.lock);
            lookups.incrementAndGet();
            msleep(2 + (i * 7 + n) % 5);
        }
    }

    static void correct(almanac_t al, int n) {
        for (int i = n;; i++) {
            if (rw_wrlock(al.lock) != 0) {
                return;
            }
            for (int h = 0; h < al.tide.length; h++) {
                al.tide[h]++;
                if (h == 4) {
                    msleep(1);
                }
            }
            rw_unlock(al.lock);
            msleep(6 + (i * 5 + n) % 9);
        }
    }

    public static void main(String[] argv) {
        long seconds = argv.length > 0 ? Long.parseLong(argv[0]) : 600;
        almanac_t al = new almanac_t();
        for (int i = 0; i < 8; i++) {
            int n = i;
            Thread t = new Thread(i < 5 ? () -> look_up(al, n) : () -> correct(al, n));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        msleep(seconds * 1000);
        if (bad != 0) {
            System.out.println("half a correction was read");
            System.exit(1);
        }
        System.out.println("DONE " + lookups);
    }
}
