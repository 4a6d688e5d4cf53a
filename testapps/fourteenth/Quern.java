// Two exclusive locks by two developers: numbers drawn and served in turn, and an explicit state with a time limit.
// @lock Quern$Wheel
// @type LOCK reentrant=false
// @role lock Quern$Wheel.take
// @role unlock Quern$Wheel.drop
// @lock java.lang.Object#attempt
// @type LOCK reentrant=false
// @role lock Quern$Hopper.seize
// @role lock Quern$Hopper.attempt
// @role unlock Quern$Hopper.vacate
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Quern {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static class Wheel {
        private long nextNumber;
        private long nowServing;

        synchronized void take() throws InterruptedException {
            long mine = nextNumber++;
            while (mine != nowServing) {
                wait();
            }
        }

        synchronized void drop() {
            nowServing++;
            notifyAll();
        }
    }

    static class Hopper {
        enum State { IDLE, FILLING }

        private final Object mon = new Object();
        private State state = State.IDLE;
        private Thread filler;

        void seize() throws InterruptedException {
            synchronized (mon) {
                while (state == State.FILLING) {
                    mon.wait();
                }
                state = State.FILLING;
                filler = Thread.currentThread();
            }
        }

        boolean attempt(long ms) throws InterruptedException {
            synchronized (mon) {
                long until = System.nanoTime() + ms * 1000000L;
                while (state == State.FILLING) {
                    long rest = (until - System.nanoTime() + 999999L) / 1000000L;
                    if (rest <= 0) {
                        return false;
                    }
                    mon.wait(rest);
                }
                state = State.FILLING;
                filler = Thread.currentThread();
                return true;
            }
        }

        void vacate() {
            synchronized (mon) {
                if (filler != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("not the filler");
                }
                filler = null;
                state = State.IDLE;
                mon.notifyAll();
            }
        }
    }

    final Wheel wheel = new Wheel();
    final Hopper hopper = new Hopper();
    final AtomicInteger atWheel = new AtomicInteger();
    final AtomicInteger atHopper = new AtomicInteger();

    void grind() throws InterruptedException {
        wheel.take();
        try {
            if (atWheel.incrementAndGet() != 1) {
                broken = "two at the wheel";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            atWheel.decrementAndGet();
        } finally {
            wheel.drop();
        }
    }

    void fill(boolean hurried) throws InterruptedException {
        if (hurried) {
            if (!hopper.attempt(4)) {
                return;
            }
        } else {
            hopper.seize();
        }
        try {
            if (atHopper.incrementAndGet() != 1) {
                broken = "two at the hopper";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            atHopper.decrementAndGet();
        } finally {
            hopper.vacate();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Quern q = new Quern();
        for (int i = 0; i < 8; i++) {
            final int id = i;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        if (id < 4) {
                            q.grind();
                        } else {
                            q.fill(id < 6);
                        }
                        OPS.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    }
                } catch (InterruptedException e) {
                    broken = "interrupted";
                }
            }, "miller-" + i);
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
