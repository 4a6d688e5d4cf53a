// @lock StageDoor$EntryLock
// @type LATCH count=1
// @role await StageDoor$EntryLock.pass
// @role count-down StageDoor$EntryLock.unlock
//
// @lock StageDoor$Wardrobe
// @type SEMAPHORE permits=2
// @role acquire StageDoor$Wardrobe.borrow
// @role release StageDoor$Wardrobe.hangUp

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A stage door that is shut before each rehearsal and opened once for everybody; inside, two costumes for five actors. */
public final class StageDoor {
    static final class EntryLock {
        private boolean shut = true;

        synchronized void pass() throws InterruptedException {
            while (shut) {
                wait();
            }
        }

        synchronized void unlock() {
            shut = false;
            notifyAll();
        }
    }

    static final class Wardrobe {
        private final List<String> costumes = new ArrayList<>();

        Wardrobe(String... names) {
            for (String n : names) {
                costumes.add(n);
            }
        }

        synchronized String borrow() throws InterruptedException {
            while (true) {
                if (!costumes.isEmpty()) {
                    return costumes.remove(costumes.size() - 1);
                }
                wait();
            }
        }

        synchronized void hangUp(String costume) {
            costumes.add(costume);
            notify();
        }
    }

    static final class Rehearsal {
        final EntryLock door = new EntryLock();
        volatile boolean opened;
        final AtomicInteger left = new AtomicInteger(5);
    }

    private final Wardrobe wardrobe = new Wardrobe("king", "fool");
    private final AtomicInteger dressed = new AtomicInteger();
    private final AtomicLong visits = new AtomicLong();
    private volatile boolean stop;
    private volatile boolean wrong;

    private void actor(LinkedBlockingQueue<Rehearsal> plan) {
        try {
            while (true) {
                Rehearsal r = plan.take();
                r.door.pass();
                wrong |= !r.opened;
                String costume = wardrobe.borrow();
                wrong |= dressed.incrementAndGet() > 2;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                dressed.decrementAndGet();
                wardrobe.hangUp(costume);
                visits.incrementAndGet();
                r.left.decrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        StageDoor theatre = new StageDoor();
        List<LinkedBlockingQueue<Rehearsal>> plans = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            LinkedBlockingQueue<Rehearsal> plan = new LinkedBlockingQueue<>();
            plans.add(plan);
            Thread t = new Thread(() -> theatre.actor(plan), "actor-" + i);
            t.setDaemon(true);
            t.start();
        }
        Thread porter = new Thread(() -> {
            try {
                while (!theatre.stop) {
                    Rehearsal r = new Rehearsal();
                    for (LinkedBlockingQueue<Rehearsal> plan : plans) {
                        plan.add(r);
                    }
                    Thread.sleep(5);
                    r.opened = true;
                    r.door.unlock();
                    while (r.left.get() > 0) {
                        Thread.sleep(1);
                    }
                }
            } catch (InterruptedException e) {
                theatre.wrong = true;
            }
        }, "porter");
        porter.setDaemon(true);
        porter.start();
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        theatre.stop = true;
        porter.join(5_000);
        if (theatre.wrong || porter.isAlive() || theatre.visits.get() % 5 != 0) {
            throw new IllegalStateException("somebody got in early, or stayed");
        }
        System.out.println("DONE " + theatre.visits);
    }
}
