// @lock StampDesk$Stamps
// @type SEMAPHORE permits=2
// @role acquire StampDesk$Stamps.take
// @role acquire StampDesk$Stamps.tryTake
// @role release StampDesk$Stamps.giveBack
//
// @lock java.lang.Object#enterLetter
// @type MUTEX
// @role enter StampDesk$Register.enterLetter
// @role enter StampDesk$Register.audit

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A town hall: two stamps for six clerks, and one register of letters that all write in. */
public class StampDesk {
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
    static class Stamps {
        private int free;

        Stamps(int n) {
            free = n;
        }

        synchronized void take() throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
        }

        synchronized boolean tryTake(long millis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + millis;
            while (free == 0) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            free--;
            return true;
        }

        synchronized void giveBack() {
            free++;
            notify();
        }
    }

    static class Register {
        private final Object guard = new Object();
        private final Deque<Integer> recent = new ArrayDeque<>();
        private long sum;

        void enterLetter(int number) throws InterruptedException {
            synchronized (guard) {
                recent.addLast(number);
                nap(1, 2);
                sum += number;
                if (recent.size() > 20) {
                    sum -= recent.removeFirst();
                }
            }
        }

        boolean audit() {
            synchronized (guard) {
                long s = 0;
                for (int n : recent) {
                    s += n;
                }
                return s == sum && recent.size() <= 20;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Stamps stamps = new Stamps(2);
        Register register = new Register();
        AtomicInteger stamping = new AtomicInteger();
        for (int i = 0; i < 6; i++) {
            boolean patient = i % 3 != 0;
            loop("clerk-" + i, () -> {
                if (patient) {
                    stamps.take();
                } else if (!stamps.tryTake(15)) {
                    nap(1, 3);
                    return;
                }
                try {
                    check(stamping.incrementAndGet() <= 2, "three clerks stamp at once");
                    nap(2, 5);
                } finally {
                    stamping.decrementAndGet();
                    stamps.giveBack();
                }
                register.enterLetter(ThreadLocalRandom.current().nextInt(1000));
                nap(1, 4);
            });
        }
        loop("auditor", () -> {
            check(register.audit(), "the register does not add up");
            nap(3, 8);
        });
        finish(args);
    }
}
