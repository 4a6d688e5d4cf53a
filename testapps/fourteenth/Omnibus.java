// A bus company in small: fares queue, each trip waits for both checks, a meter limits departures, and a depot keeps bays by flag.
// @lock Omnibus$Stop
// @type PRODUCER-CONSUMER capacity=3
// @role put Omnibus$Stop.queueUp
// @role put Omnibus$Stop.queueUpWithin
// @role take Omnibus$Stop.board
// @lock Omnibus$Trip
// @type LATCH count=2
// @role count-down Omnibus$Trip.checked
// @role await Omnibus$Trip.cleared
// @lock Omnibus$Meter
// @type SEMAPHORE form=rate-limiter
// @role acquire Omnibus$Meter.depart
// @role release Omnibus$Meter.refill
// @lock Omnibus$Depot
// @type SEMAPHORE permits=2
// @role acquire Omnibus$Depot.enterBay
// @role release Omnibus$Depot.leaveBay
// @lock Omnibus$Book
// @type MUTEX
// @role enter Omnibus$Book.note
// @role enter Omnibus$Book.total
// @quiet
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class Omnibus {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Stop {
        private static final class Rider {
            final long fare;
            Rider behind;

            Rider(long fare) {
                this.fare = fare;
            }
        }

        private Rider front;
        private Rider rear;
        private int length;

        private boolean full() {
            return length == 3;
        }

        private void append(long fare) {
            Rider r = new Rider(fare);
            if (rear == null) {
                front = r;
            } else {
                rear.behind = r;
            }
            rear = r;
            length++;
            notifyAll();
        }

        synchronized void queueUp(long fare) throws InterruptedException {
            while (full()) {
                wait();
            }
            append(fare);
        }

        synchronized boolean queueUpWithin(long fare, long ms) throws InterruptedException {
            long deadline = System.currentTimeMillis() + ms;
            while (full()) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            append(fare);
            return true;
        }

        synchronized long board() throws InterruptedException {
            while (front == null) {
                wait();
            }
            Rider r = front;
            front = r.behind;
            if (front == null) {
                rear = null;
            }
            length--;
            notifyAll();
            return r.fare;
        }
    }

    static final class Trip {
        private int open = 2;

        synchronized void checked() {
            open--;
            if (open == 0) {
                notifyAll();
            }
        }

        synchronized void cleared() throws InterruptedException {
            while (open != 0) {
                wait();
            }
        }
    }

    static final class Meter {
        private int tokens = 2;

        synchronized void depart() throws InterruptedException {
            while (tokens <= 0) {
                wait();
            }
            tokens--;
        }

        synchronized void refill() {
            if (tokens < 2) {
                tokens++;
                notify();
            }
        }
    }

    static final class Depot {
        private final boolean[] taken = new boolean[2];

        private int free() {
            for (int i = 0; i < taken.length; i++) {
                if (!taken[i]) {
                    return i;
                }
            }
            return -1;
        }

        synchronized int enterBay() throws InterruptedException {
            int bay;
            while ((bay = free()) < 0) {
                wait();
            }
            taken[bay] = true;
            return bay;
        }

        synchronized void leaveBay(int bay) {
            taken[bay] = false;
            notifyAll();
        }
    }

    static final class Book {
        private long sum;

        synchronized void note(long fare) {
            sum += fare;
        }

        synchronized long total() {
            return sum;
        }
    }

    final Stop stop = new Stop();
    final Meter meter = new Meter();
    final Depot depot = new Depot();
    final Book book = new Book();
    final ConcurrentLinkedQueue<Trip> checks = new ConcurrentLinkedQueue<>();
    final AtomicIntegerArray bays = new AtomicIntegerArray(2);
    final AtomicLong paid = new AtomicLong();

    void rider(boolean hurried) throws InterruptedException {
        long fare = ThreadLocalRandom.current().nextInt(2, 6);
        paid.addAndGet(fare);
        if (!hurried) {
            stop.queueUp(fare);
        } else if (!stop.queueUpWithin(fare, 10)) {
            paid.addAndGet(-fare);
        }
        nap(2, 10);
    }

    void conductor() throws InterruptedException {
        book.note(stop.board());
        OPS.incrementAndGet();
        nap(1, 7);
    }

    void driver() throws InterruptedException {
        int bay = depot.enterBay();
        if (bays.incrementAndGet(bay) != 1) {
            broken = "two buses in bay " + bay;
        }
        nap(4, 9);
        Trip t = new Trip();
        checks.add(t);
        checks.add(t);
        t.cleared();
        if (t.open != 0) {
            broken = "left unchecked";
        }
        bays.decrementAndGet(bay);
        depot.leaveBay(bay);
        meter.depart();
        OPS.incrementAndGet();
        nap(1, 5);
    }

    void checker() throws InterruptedException {
        nap(1, 3);
        Trip t = checks.poll();
        if (t != null) {
            t.checked();
        }
    }

    void inspector() throws InterruptedException {
        nap(15, 20);
        if (book.total() > paid.get() + 1000) {
            broken = "more booked than paid";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Omnibus o = new Omnibus();
        for (int i = 0; i < 3; i++) {
            final boolean hurried = i == 2;
            crew("rider-" + i, () -> o.rider(hurried));
        }
        for (int i = 0; i < 6; i++) {
            crew("driver-" + i, o::driver);
        }
        for (int i = 0; i < 2; i++) {
            crew("checker-" + i, o::checker);
            crew("conductor-" + i, o::conductor);
        }
        crew("timer", () -> {
            // now and then the road is blocked for a moment
            nap(2, ThreadLocalRandom.current().nextInt(8) == 0 ? 50 : 5);
            o.meter.refill();
        });
        crew("inspector", o::inspector);
        watch(args);
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void crew(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void watch(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.currentTimeMillis() + (args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
