// @lock Frozen$Log
// @type LOCK
// @role lock Frozen$Log.f
// @role unlock Frozen$Log.f
//
// @lock Frozen$Door
// @type CONDITION form=resettable-event
// @role wait Frozen$Door.f
// @role notify Frozen$Door.o

/** Who takes a lock may be held up besides. */
public class Frozen {
    /** One works at a time, and none while it is frozen. */
    static class Log {
        private boolean b, c;
        private long n;

        void f() {
            synchronized (this) {
                while (b) nap();
                while (c) nap();
                b = true;
            }
            try {
                work(n);
            } finally {
                synchronized (this) {
                    b = false;
                    notifyAll();
                }
            }
        }

        private void nap() {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void work(long m) {
            System.out.println(m);
        }

        synchronized void g() {
            c = true;
        }

        synchronized void h() {
            c = false;
            notifyAll();
        }
    }

    /** Who comes through is only held up. */
    static class Door {
        private boolean c;
        private long n;

        synchronized void f() throws InterruptedException {
            while (c) wait();
            n++;
        }

        synchronized void g() {
            c = true;
        }

        synchronized void o() {
            c = false;
            notifyAll();
        }
    }

    static void freeze(Log log, Door door) {
        log.g();
        door.g();
    }

    static void thaw(Log log, Door door) {
        log.h();
        door.o();
    }

    public static void main(String[] args) throws InterruptedException {
        Log log = new Log();
        Door door = new Door();
        freeze(log, door);
        thaw(log, door);
        log.f();
        door.f();
    }
}
