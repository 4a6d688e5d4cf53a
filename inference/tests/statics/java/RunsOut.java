// @lock RunsOut$Slot
// @type LOCK reentrant=false
// @role lock RunsOut$Slot.a
// @role unlock RunsOut$Slot.b
//
// @lock RunsOut$Card
// @type LOCK reentrant=false
// @role lock RunsOut$Card.c
// @role unlock RunsOut$Card.d
//
// @lock RunsOut$Rail
// @type LOCK reentrant=false
// @role lock RunsOut$Rail.e
// @role unlock RunsOut$Rail.f

/** Locks that are had for some time only, and one that is told by an exception that it is taken. */
public final class RunsOut {
    private RunsOut() {}

    /** Until when it is taken is all that it knows. */
    static final class Slot {
        private long until;

        synchronized void a(long millis) throws InterruptedException {
            long now;
            while ((now = System.currentTimeMillis()) < until) {
                wait(until - now);
            }
            until = now + millis;
        }

        synchronized void b() {
            until = 0;
            notifyAll();
        }
    }

    /** Who has it holds a card that runs out. */
    static final class Card {
        private Object current;
        private long end;

        synchronized Object c() throws InterruptedException {
            while (current != null && System.nanoTime() - end < 0) {
                wait(5);
            }
            end = System.nanoTime() + 20_000_000L;
            current = new Object();
            return current;
        }

        synchronized void d(Object card) {
            if (current == card) {
                current = null;
                notifyAll();
            }
        }
    }

    /** Who comes too early is thrown out, and waits for his turn. */
    static final class Rail {
        private String train;

        private void check() {
            if (train != null) {
                throw new Taken();
            }
        }

        synchronized void e(String name) throws InterruptedException {
            while (true) {
                try {
                    check();
                    train = name;
                    return;
                } catch (Taken taken) {
                    wait();
                }
            }
        }

        synchronized void f() {
            train = null;
            notifyAll();
        }
    }

    static final class Taken extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
