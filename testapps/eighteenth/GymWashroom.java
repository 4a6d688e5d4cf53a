// @lock Crowd
// @type MUTEX
// @role enter Crowd.firstIn
// @role enter Crowd.lastOut
// @lock DoorKey
// @type SEMAPHORE permits=1
// @role acquire DoorKey.take
// @role release DoorKey.giveBack
// @lock Cubicles
// @type SEMAPHORE permits=3
// @role acquire Cubicles.occupy
// @role release Cubicles.free

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A gym with one washroom for staff or guests, never both: the first of a crowd takes the door key, the last one returns
 * it. Inside are three cubicles.
 */
public class GymWashroom {
    static final AtomicInteger STAFF = new AtomicInteger();
    static final AtomicInteger GUESTS = new AtomicInteger();
    static final AtomicInteger IN_CUBICLES = new AtomicInteger();
    static final AtomicLong VISITS = new AtomicLong();
    static volatile String complaint;

    static void visit(Crowd crowd, AtomicInteger mine, AtomicInteger others, Cubicles cubicles) throws InterruptedException {
        crowd.firstIn();
        mine.incrementAndGet();
        if (others.get() != 0) {
            complaint = "mixed company";
        }
        int c = cubicles.occupy();
        if (IN_CUBICLES.incrementAndGet() > 3) {
            complaint = "cubicle shared";
        }
        Thread.sleep(3);
        IN_CUBICLES.decrementAndGet();
        cubicles.free(c);
        mine.decrementAndGet();
        crowd.lastOut();
        VISITS.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Cubicles cubicles = new Cubicles();
        DoorKey key = new DoorKey();
        final Crowd staff = new Crowd(key);
        final Crowd guests = new Crowd(key);
        for (int i = 0; i < 10; i++) {
            final boolean isStaff = i < 5;
            Thread t = new Thread(() -> {
                try {
                    while (complaint == null) {
                        if (isStaff) {
                            visit(staff, STAFF, GUESTS, cubicles);
                        } else {
                            visit(guests, GUESTS, STAFF, cubicles);
                        }
                        Thread.sleep(9);
                    }
                } catch (InterruptedException e) {
                    complaint = "interrupted";
                }
            }, (isStaff ? "staff-" : "guest-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && complaint == null) {
            Thread.sleep(50);
        }
        if (complaint != null) {
            System.out.println(complaint);
            System.exit(1);
        }
        System.out.println("DONE " + VISITS);
    }
}

class Crowd {
    private final DoorKey key;
    private int size;

    Crowd(DoorKey key) {
        this.key = key;
    }

    synchronized void firstIn() throws InterruptedException {
        if (size == 0) {
            key.take();
        }
        size++;
    }

    synchronized void lastOut() {
        size--;
        if (size == 0) {
            key.giveBack();
        }
    }
}

class DoorKey {
    private boolean onHook = true;

    synchronized void take() throws InterruptedException {
        while (!onHook) {
            wait();
        }
        onHook = false;
    }

    synchronized void giveBack() {
        if (onHook) {
            GymWashroom.complaint = "second key";
        }
        onHook = true;
        notify();
    }
}

class Cubicles {
    private final ArrayDeque<Integer> open = new ArrayDeque<>();

    Cubicles() {
        for (int i = 1; i <= 3; i++) {
            open.push(i);
        }
    }

    synchronized int occupy() throws InterruptedException {
        while (open.isEmpty()) {
            wait();
        }
        return open.pop();
    }

    synchronized void free(int n) {
        if (open.contains(n)) {
            GymWashroom.complaint = "freed twice: " + n;
        }
        open.push(n);
        notify();
    }
}
