// @lock PthreadPort$Handle
// @type JOIN
// @role join PthreadPort.pthread_join

import java.util.concurrent.atomic.AtomicLong;

/**
 * A ray marcher ported from C with its thread functions: create, join. A thread's handle is marked by the last thing that
 * the thread does (so: a join; by shape alone also a latch of count 1).
 */
public final class PthreadPort {
    interface StartRoutine {
        long call(long arg) throws InterruptedException;
    }

    static final class Handle {
        boolean exited;
        long retval;
        int joined;
    }

    private static final AtomicLong seq = new AtomicLong();

    static Handle pthread_create(StartRoutine routine, long arg) {
        Handle h = new Handle();
        Thread t = new Thread(() -> trampoline(h, routine, arg), "pthread-" + seq.incrementAndGet());
        t.setDaemon(true);
        t.start();
        return h;
    }

    private static void trampoline(Handle h, StartRoutine routine, long arg) {
        long value = -1;
        try {
            value = routine.call(arg);
        } catch (InterruptedException e) {
            // cancelled: the value stays -1, as PTHREAD_CANCELED
        } finally {
            synchronized (h) {
                h.retval = value;
                h.exited = true;
                h.notifyAll();
            }
        }
    }

    static long pthread_join(Handle h) throws InterruptedException {
        synchronized (h) {
            while (!h.exited) {
                h.wait();
            }
            if (h.joined++ != 0) {
                throw new IllegalStateException("EINVAL");
            }
            return h.retval;
        }
    }

    private static long row(long y) throws InterruptedException {
        long hits = 0;
        for (int x = 0; x < 64; x++) {
            if (x * x + y * y < 64 * 64) {
                hits++;
            }
        }
        Thread.sleep(1 + y % 4);
        return hits;
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Long.parseLong(args[0]) : 600);
        System.out.println("READY");
        System.out.flush();
        long expected = -1;
        long frames = 0;
        Handle[] rows = new Handle[8];
        while (System.nanoTime() - end < 0) {
            long sum = 0;
            for (int block = 0; block < 64; block += rows.length) {
                for (int i = 0; i < rows.length; i++) {
                    rows[i] = pthread_create(PthreadPort::row, block + i);
                }
                for (Handle r : rows) {
                    sum += pthread_join(r);
                }
            }
            if (expected < 0) {
                expected = sum;
            }
            if (sum != expected) {
                throw new IllegalStateException("frame " + frames + " differs");
            }
            frames++;
        }
        System.out.println("DONE " + frames);
    }
}
