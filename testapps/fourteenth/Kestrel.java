// Two ways to ration things: a textbook counting monitor for oven places, and a deque of real objects for trays.
// @lock Kestrel$Oven
// @type SEMAPHORE permits=3
// @role acquire Kestrel$Oven.claim
// @role acquire Kestrel$Oven.claimWithin
// @role release Kestrel$Oven.yieldPlace
// @lock Kestrel$TrayRack
// @type SEMAPHORE permits=2 form=object-pool
// @role acquire Kestrel$TrayRack.borrow
// @role release Kestrel$TrayRack.giveBack
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Kestrel {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    /** The monitor of the textbook: a number that must not go below zero. */
    static final class Oven {
        private int places;

        Oven(int places) {
            this.places = places;
        }

        synchronized void claim() throws InterruptedException {
            while (places == 0) {
                wait();
            }
            places--;
        }

        synchronized boolean claimWithin(long millis) throws InterruptedException {
            long deadline = System.nanoTime() + millis * 1000000L;
            while (places == 0) {
                long left = (deadline - System.nanoTime()) / 1000000L;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            places--;
            return true;
        }

        synchronized void yieldPlace() {
            places++;
            notifyAll();
        }
    }

    static final class Tray {
        final int number;
        final AtomicInteger users = new AtomicInteger();

        Tray(int number) {
            this.number = number;
        }
    }

    static final class TrayRack {
        private final Object guard = this;
        private final ArrayDeque<Tray> idle = new ArrayDeque<>();

        TrayRack(int n) {
            for (int i = 0; i < n; i++) {
                idle.addLast(new Tray(i));
            }
        }

        Tray borrow() throws InterruptedException {
            synchronized (guard) {
                while (idle.isEmpty()) {
                    guard.wait();
                }
                return idle.removeFirst();
            }
        }

        void giveBack(Tray t) {
            synchronized (guard) {
                idle.addLast(t);
                guard.notify();
            }
        }
    }

    final Oven oven = new Oven(3);
    final TrayRack rack = new TrayRack(2);
    final AtomicInteger baking = new AtomicInteger();

    void bake(boolean patient) throws InterruptedException {
        if (patient) {
            oven.claim();
        } else if (!oven.claimWithin(8)) {
            Thread.sleep(1);
            return;
        }
        try {
            if (baking.incrementAndGet() > 3) {
                broken = "too many in the oven";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            OPS.incrementAndGet();
        } finally {
            baking.decrementAndGet();
            oven.yieldPlace();
        }
    }

    void serve() throws InterruptedException {
        Tray t = rack.borrow();
        try {
            if (t.users.incrementAndGet() != 1) {
                broken = "tray " + t.number + " shared";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            OPS.incrementAndGet();
        } finally {
            t.users.decrementAndGet();
            rack.giveBack(t);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Kestrel k = new Kestrel();
        for (int i = 0; i < 9; i++) {
            final int id = i;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        if (id < 5) {
                            k.bake(id != 4);
                        } else {
                            k.serve();
                        }
                    }
                } catch (InterruptedException e) {
                    broken = "interrupted";
                }
            }, "baker-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
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
