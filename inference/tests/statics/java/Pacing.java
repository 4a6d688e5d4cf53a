// @lock Pacing$Slots
// @type SEMAPHORE permits=3 form=-
// @role acquire Pacing$Slots.begin
// @role release Pacing$Slots.done
//
// @lock Pacing$Sent
// @type SEMAPHORE permits=3 form=-
// @role acquire Pacing$Sent.a
// @role release Pacing$Sent.b
//
// @lock Pacing$Drops
// @type SEMAPHORE permits=3 form=rate-limiter
// @role acquire Pacing$Drops.drink
// @role release Pacing$Drops.fall
//
// @lock Pacing$Ticks
// @type SEMAPHORE permits=3 form=rate-limiter
// @role acquire Pacing$Ticks.a
// @role release Pacing$Ticks.b
//
// @lock Pacing$Guests
// @type CONDITION form=wait-group
// @role wait Pacing$Guests.empty
// @role notify Pacing$Guests.goes
//
// @lock Pacing$Lights
// @type CONDITION form=resettable-event
// @role wait Pacing$Lights.go
// @role notify Pacing$Lights.green
//
// @lock Pacing$Tickets
// @type LOCK
// @role lock Pacing$Tickets.draw
// @role unlock Pacing$Tickets.next
//
// @lock Pacing$Window
// @type CONDITION
// @role wait Pacing$Window.above
// @role notify Pacing$Window.more
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What is given by one: in return for what was taken, or as time passes; and who waits until all are gone. */
public final class Pacing {
    /** So many are on their way. Whoever gets an answer says so. */
    static final class Slots {
        private int free = 3;

        synchronized void begin() throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
        }

        synchronized void done() {
            if (free < 3) {
                free++;
                notify();
            }
        }
    }

    /** The same, of tasks that somebody else runs. */
    static final class Sent {
        private int out;

        synchronized void a() throws InterruptedException {
            while (out >= 3) {
                wait();
            }
            out++;
        }

        synchronized void b() {
            if (out > 0) {
                out--;
                notify();
            }
        }
    }

    static final class Drops {
        private int there = 3;

        synchronized void drink() throws InterruptedException {
            while (there == 0) {
                wait();
            }
            there--;
        }

        synchronized void fall() {
            if (there < 3) {
                there++;
                notify();
            }
        }
    }

    static final class Ticks {
        private int used;

        synchronized void a() throws InterruptedException {
            while (used == 3) {
                wait();
            }
            used++;
        }

        synchronized void b() {
            if (used > 0) {
                used--;
                notify();
            }
        }
    }

    static final class Guests {
        private int inside;

        synchronized void comes() {
            inside++;
        }

        synchronized void goes() {
            if (--inside == 0) {
                notifyAll();
            }
        }

        synchronized void empty() throws InterruptedException {
            while (inside > 0) {
                wait();
            }
        }
    }

    static final class Lights {
        private boolean red;

        synchronized void stop() {
            red = true;
        }

        synchronized void green() {
            red = false;
            notifyAll();
        }

        synchronized void go() throws InterruptedException {
            while (red) {
                wait();
            }
        }
    }

    static final class Tickets {
        private int last;
        private int served;

        synchronized void draw() throws InterruptedException {
            int mine = last++;
            while (mine != served) {
                wait();
            }
        }

        synchronized void next() {
            served++;
            notifyAll();
        }
    }

    /** Whoever wants to know waits until so much is there; who takes it away tells nobody. */
    static final class Window {
        private int room = 64;

        synchronized void more(int by) {
            room += by;
            notifyAll();
        }

        synchronized int above(int least) throws InterruptedException {
            while (room < least) {
                wait();
            }
            return room;
        }

        synchronized void less(int by) {
            room -= by;
        }
    }

    static final Slots SLOTS = new Slots();
    static final Sent SENT = new Sent();
    static final Drops DROPS = new Drops();
    static final LinkedBlockingQueue<Integer> WIRE = new LinkedBlockingQueue<>();

    static void sender() throws InterruptedException {
        SLOTS.begin();
        WIRE.put(1);
    }

    static void receiver() throws InterruptedException {
        WIRE.take();
        Thread.sleep(2);
        SLOTS.done();
    }

    static void order(ExecutorService pool) throws InterruptedException {
        SENT.a();
        pool.execute(() -> {
            rest();
            SENT.b();
        });
    }

    static void rest() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void thirsty() throws InterruptedException {
        DROPS.drink();
    }

    static void use(Ticks ticks) throws InterruptedException {
        ticks.a();
    }

    static void start(ScheduledExecutorService timer, Ticks ticks) {
        timer.scheduleAtFixedRate(() -> ticks.b(), 1, 1, TimeUnit.MILLISECONDS);
    }

    static void tap() {
        rest();
        DROPS.fall();
    }
}
