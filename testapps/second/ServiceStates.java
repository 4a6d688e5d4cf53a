// @lock java.lang.Object#awaitAtLeast
// @type CONDITION
// @role wait ServiceStates.awaitAtLeast
// @role wait ServiceStates.awaitDown
// @role notify ServiceStates.enter

import java.util.concurrent.atomic.AtomicLong;

/** A restartable service: threads wait until state >= RUNNING, the supervisor waits for the other end. */
public class ServiceStates {
    enum State { DOWN, CONFIGURING, STARTING, RUNNING, DRAINING }

    private final Object stateLock = new Object();
    private State state = State.DOWN;

    private void enter(State next) {
        synchronized (stateLock) {
            if (state == next) {
                return;
            }
            state = next;
            stateLock.notifyAll();
        }
    }

    private boolean awaitAtLeast(State wanted, long millis) throws InterruptedException {
        long limit = System.nanoTime() + millis * 1_000_000;
        synchronized (stateLock) {
            while (state.compareTo(wanted) < 0) {
                long rest = (limit - System.nanoTime()) / 1_000_000;
                if (rest <= 0) {
                    return false;
                }
                stateLock.wait(rest);
            }
            return true;
        }
    }

    private void awaitDown() throws InterruptedException {
        synchronized (stateLock) {
            while (state != State.DOWN) {
                stateLock.wait();
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final ServiceStates s = new ServiceStates();
        final AtomicLong served = new AtomicLong();
        final AtomicLong restarts = new AtomicLong();
        Thread cycle = new Thread(() -> {
            try {
                while (true) {
                    for (State st : State.values()) {
                        s.enter(st);
                        Thread.sleep(2);
                    }
                    restarts.incrementAndGet();
                }
            } catch (InterruptedException e) {
                // end
            }
        }, "life-cycle");
        cycle.setDaemon(true);
        for (int i = 0; i < 3; i++) {
            final int pause = i + 1;
            Thread client = new Thread(() -> {
                try {
                    while (true) {
                        if (s.awaitAtLeast(State.RUNNING, 5000)) {
                            served.incrementAndGet();
                        }
                        Thread.sleep(pause);
                    }
                } catch (InterruptedException e) {
                    // end
                }
            }, "client-" + i);
            client.setDaemon(true);
            client.start();
        }
        Thread janitor = new Thread(() -> {
            try {
                while (true) {
                    s.awaitDown();
                    Thread.sleep(3);
                }
            } catch (InterruptedException e) {
                // end
            }
        }, "janitor");
        janitor.setDaemon(true);
        janitor.start();
        cycle.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (served.get() == 0 || restarts.get() == 0) {
            System.out.println("service never came up");
            System.exit(1);
        }
        System.out.println("DONE " + (served.get() + restarts.get()));
    }
}
