// @lock WorkGate$NarrowGate
// @type SEMAPHORE permits=2
// @role acquire WorkGate$AbstractGate.enter
// @role acquire WorkGate$AbstractGate.enterWithin
// @role release WorkGate$AbstractGate.exit

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Gates in front of two machines, each letting two jobs in; the base class waits, the subclass counts upwards from minus two. */
public final class WorkGate {
    abstract static class AbstractGate {
        protected abstract boolean admits();

        protected abstract void admitted();

        protected abstract void left();

        public final synchronized void enter() throws InterruptedException {
            while (!admits()) {
                wait();
            }
            admitted();
        }

        public final synchronized boolean enterWithin(long millis) throws InterruptedException {
            long deadline = System.nanoTime() + millis * 1_000_000L;
            boolean admitted = admits();
            while (!admitted) {
                long left = (deadline - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return false;
                }
                wait(left);
                admitted = admits();
            }
            admitted();
            return true;
        }

        public final synchronized void exit() {
            left();
            notifyAll();
        }
    }

    static final class NarrowGate extends AbstractGate {
        private int balance = -2;

        @Override
        protected boolean admits() {
            return balance < 0;
        }

        @Override
        protected void admitted() {
            balance++;
        }

        @Override
        protected void left() {
            balance--;
        }
    }

    static final class Machine {
        final NarrowGate gate = new NarrowGate();
        final AtomicInteger jobs = new AtomicInteger();
        volatile boolean crowded;

        void work(long millis) throws InterruptedException {
            if (jobs.incrementAndGet() > 2) {
                crowded = true;
            }
            Thread.sleep(millis);
            jobs.decrementAndGet();
        }
    }

    private static volatile boolean stop;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Machine[] machines = {new Machine(), new Machine()};
        AtomicLong done = new AtomicLong();
        Thread[] threads = new Thread[10];
        for (int i = 0; i < threads.length; i++) {
            boolean patient = i % 3 != 0;
            Machine m = machines[i % 2];
            Random random = new Random(i);
            threads[i] = new Thread(() -> {
                try {
                    while (!stop) {
                        if (patient) {
                            m.gate.enter();
                        } else if (!m.gate.enterWithin(200)) {
                            continue;
                        }
                        try {
                            m.work(2 + random.nextInt(5));
                            done.incrementAndGet();
                        } finally {
                            m.gate.exit();
                        }
                        Thread.sleep(random.nextInt(4));
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "job-" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        for (Machine m : machines) {
            if (m.crowded || m.jobs.get() != 0) {
                throw new IllegalStateException("more than two jobs at one machine");
            }
        }
        System.out.println("DONE " + done);
    }
}
