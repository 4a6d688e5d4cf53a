// Hoare's disk head scheduler: requests are served in the order of a lift; the head belongs to one process at a time.
// @lock HoareDisk$DiskHead
// @type LOCK reentrant=false
// @role lock HoareDisk$DiskHead.request
// @role unlock HoareDisk$DiskHead.release
// @lock HoareDisk$Odometer
// @type MUTEX
// @role enter HoareDisk$Odometer.moved
// @role enter HoareDisk$Odometer.print

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class HoareDisk {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    static final class Wish {
        final int cylinder;
        boolean granted;

        Wish(int cylinder) {
            this.cylinder = cylinder;
        }
    }

    static final class DiskHead {
        private final List<Wish> wishes = new ArrayList<>();
        private boolean busy;
        private boolean upwards = true;
        private int position;

        /** Returns how far the head had to move. */
        synchronized int request(int cylinder) throws InterruptedException {
            int from;
            if (busy) {
                Wish wish = new Wish(cylinder);
                wishes.add(wish);
                while (!wish.granted) {
                    wait();
                }
            } else {
                busy = true;
            }
            from = position;
            position = cylinder;
            return Math.abs(cylinder - from);
        }

        synchronized void release() {
            Wish next = nearest();
            if (next == null) {
                upwards = !upwards;
                next = nearest();
            }
            if (next == null) {
                busy = false;
            } else {
                wishes.remove(next);
                next.granted = true;
                notifyAll();
            }
        }

        private Wish nearest() {
            Wish best = null;
            for (Wish w : wishes) {
                boolean ahead = upwards ? w.cylinder >= position : w.cylinder <= position;
                if (ahead && (best == null || Math.abs(w.cylinder - position) < Math.abs(best.cylinder - position))) {
                    best = w;
                }
            }
            return best;
        }
    }

    static final class Odometer {
        private long total;
        private long doubled;

        void moved(int distance) throws InterruptedException {
            synchronized (this) {
                total += distance;
                Thread.sleep(1);
                doubled += 2 * distance;
            }
        }

        void print() throws InterruptedException {
            synchronized (this) {
                check(doubled == 2 * total, "odometer");
                Thread.sleep(2);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        DiskHead head = new DiskHead();
        Odometer odometer = new Odometer();
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < 6; i++) {
            go("process-" + i, () -> {
                int distance = head.request(dice(200));
                check(inside.incrementAndGet() == 1, "two on the head");
                nap(3);
                inside.decrementAndGet();
                head.release();
                odometer.moved(distance);
                OPS.incrementAndGet();
                nap(6);
            });
        }
        go("printer", () -> {
            nap(6);
            odometer.print();
        });
        finish(args);
    }
}
