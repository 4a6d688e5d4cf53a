// @lock PressHall$Belt
// @type PRODUCER-CONSUMER capacity=5
// @role put PressHall$Belt.lay
// @role take PressHall$Belt.lift
//
// @lock java.lang.Object#append
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put PressHall$Complaints.append
// @role take PressHall$Complaints.next

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A printing hall: sheets on a belt with five places, and complaints that nobody may refuse. */
public class PressHall {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    static class Belt {
        private final long[] place = new long[5];
        private long laid;
        private long lifted;

        synchronized void lay(long sheet) throws InterruptedException {
            while (laid - lifted == place.length) {
                wait();
            }
            place[(int) (laid++ % place.length)] = sheet;
            notifyAll();
        }

        synchronized long lift() throws InterruptedException {
            while (laid == lifted) {
                wait();
            }
            long sheet = place[(int) (lifted++ % place.length)];
            notifyAll();
            return sheet;
        }
    }

    static class Complaints {
        private static class Slip {
            final int from;
            final long number;
            Slip next;

            Slip(int from, long number) {
                this.from = from;
                this.number = number;
            }
        }

        private final Object lock = new Object();
        private Slip first;
        private Slip last;

        void append(int from, long number) {
            Slip slip = new Slip(from, number);
            synchronized (lock) {
                if (first == null) {
                    first = slip;
                    lock.notify();
                } else {
                    last.next = slip;
                }
                last = slip;
            }
        }

        Slip next() throws InterruptedException {
            synchronized (lock) {
                while (first == null) {
                    lock.wait();
                }
                Slip slip = first;
                first = slip.next;
                return slip;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Belt belt = new Belt();
        Complaints complaints = new Complaints();
        AtomicLong laid = new AtomicLong();
        AtomicLong lifted = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            loop("press-" + i, () -> {
                laid.incrementAndGet();
                belt.lay(1);
                if (laid.get() / 100 % 2 == 0) {
                    nap(2, 5);
                } else {
                    nap(5, 14);
                }
            });
        }
        AtomicLongArray numbers = new AtomicLongArray(2);
        for (int i = 0; i < 2; i++) {
            int me = i;
            loop("folder-" + i, () -> {
                long seen = lifted.addAndGet(belt.lift());
                check(seen <= laid.get(), "lifted a sheet nobody laid");
                if (ThreadLocalRandom.current().nextInt(3) == 0) {
                    complaints.append(me, numbers.incrementAndGet(me));
                }
                nap(2, 6);
            });
        }
        long[] expected = new long[2];
        loop("editor", () -> {
            Complaints.Slip slip = complaints.next();
            check(slip.number == ++expected[slip.from], "a complaint got lost");
        });
        finish(args);
    }
}
