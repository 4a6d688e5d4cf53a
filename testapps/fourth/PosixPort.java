// @lock PosixPort$mutex_t
// @type LOCK reentrant=false
// @role lock PosixPort$mutex_t.lock
// @role unlock PosixPort$mutex_t.unlock
//
// @lock PosixPort$cond_t
// @type CONDITION
// @role wait PosixPort$cond_t.await
// @role notify PosixPort$cond_t.broadcast

/** A sluggish state machine out of a C program: the mutex and the condition variable were ported first, the rest followed. */
public final class PosixPort {
    static final class mutex_t {
        private Thread owner;

        synchronized int lock() {
            Thread self = Thread.currentThread();
            if (owner == self) {
                throw new IllegalStateException("EDEADLK");
            }
            while (owner != null) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    self.interrupt();
                    throw new IllegalStateException("EINTR", e);
                }
            }
            owner = self;
            return 0;
        }

        synchronized int unlock() {
            if (owner != Thread.currentThread()) {
                throw new IllegalStateException("EPERM");
            }
            owner = null;
            notify();
            return 0;
        }
    }

    static final class cond_t {
        private int epoch;

        int await(mutex_t m) {
            synchronized (this) {
                int seen = epoch;
                m.unlock();
                while (seen == epoch) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("EINTR", e);
                    }
                }
            }
            return m.lock();
        }

        synchronized int broadcast() {
            epoch++;
            notifyAll();
            return 0;
        }
    }

    static final int IDLE = 0;
    static final int OPENING = 1;
    static final int RUNNING = 2;
    static final int CLOSING = 3;

    static final class machine_t {
        final mutex_t m = new mutex_t();
        final cond_t changed = new cond_t();
        int state = IDLE;
        long rounds;
        long bad;
    }

    static void driver(machine_t mc) {
        for (;;) {
            mc.m.lock();
            mc.state = (mc.state + 1) % 4;
            if (mc.state == IDLE) {
                mc.rounds++;
            }
            msleep(1);
            mc.changed.broadcast();
            mc.m.unlock();
            msleep(4);
        }
    }

    static void follower(machine_t mc, int wanted) {
        for (;;) {
            mc.m.lock();
            while (mc.state != wanted) {
                mc.changed.await(mc.m);
            }
            if (mc.state != wanted) {
                mc.bad++;
            }
            msleep(1);
            mc.m.unlock();
            msleep(3);
        }
    }

    static void msleep(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("EINTR", e);
        }
    }

    static void thread_create(Runnable body) {
        Thread t = new Thread(body);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] argv) {
        long seconds = argv.length > 0 ? Long.parseLong(argv[0]) : 600;
        machine_t mc = new machine_t();
        for (int i = 0; i < 5; i++) {
            int wanted = i % 4;
            thread_create(() -> follower(mc, wanted));
        }
        thread_create(() -> driver(mc));
        System.out.println("READY");
        for (long i = 0; i < seconds * 5; i++) {
            msleep(200);
        }
        mc.m.lock();
        long rounds = mc.rounds;
        long bad = mc.bad;
        mc.m.unlock();
        if (bad != 0) {
            throw new IllegalStateException("saw a state that was not there");
        }
        System.out.println("DONE " + rounds);
    }
}
