// @lock java.util.HashSet#enter
// @type SEMAPHORE permits=4
// @role acquire CallGuard$Compartment.enter
// @role release CallGuard$Compartment.exit
//
// @lock CallGuard$Throttle
// @type SEMAPHORE form=rate-limiter
// @role acquire CallGuard$Throttle.take
// @role release CallGuard$Throttle.openWindow

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client of a remote service with the usual guards: not more than six calls begin in a window of ten milliseconds, and
 * not more than four are under way at once; who cannot enter within a second gives up.
 */
public final class CallGuard {

    static final class Compartment {
        private static final int LIMIT = 4;
        private final Set<Thread> inside = new HashSet<>();

        boolean enter(long patience) throws InterruptedException {
            long start = System.nanoTime();
            synchronized (inside) {
                while (inside.size() >= LIMIT) {
                    long left = patience - (System.nanoTime() - start) / 1_000_000;
                    if (left <= 0) {
                        return false;
                    }
                    inside.wait(left);
                }
                return inside.add(Thread.currentThread());
            }
        }

        void exit() {
            synchronized (inside) {
                if (!inside.remove(Thread.currentThread())) {
                    throw new IllegalStateException("left without having entered");
                }
                inside.notify();
            }
        }
    }

    static final class Throttle {
        private final int perWindow;
        private int left;

        Throttle(int perWindow) {
            this.perWindow = perWindow;
        }

        synchronized void take() throws InterruptedException {
            while (left == 0) {
                wait();
            }
            left--;
        }

        synchronized void openWindow() {
            left = perWindow;
            notifyAll();
        }
    }

    static final class Client {
        private final Compartment compartment = new Compartment();
        final Throttle throttle = new Throttle(6);
        final AtomicLong rejected = new AtomicLong();

        <T> T call(Callable<T> remote, T otherwise) throws Exception {
            throttle.take();
            if (!compartment.enter(1000)) {
                rejected.incrementAndGet();
                return otherwise;
            }
            try {
                return remote.call();
            } finally {
                compartment.exit();
            }
        }
    }

    private static final AtomicInteger underWay = new AtomicInteger();
    private static volatile Exception failure;

    private static Integer remote() throws InterruptedException {
        int now = underWay.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
        underWay.decrementAndGet();
        return now;
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Client client = new Client();
        AtomicLong calls = new AtomicLong();
        AtomicLong windows = new AtomicLong();
        for (int i = 0; i < 8; i++) {
            Thread caller = new Thread(() -> {
                try {
                    for (;;) {
                        if (client.call(CallGuard::remote, 0) > 4) {
                            throw new IllegalStateException("more than four calls at once");
                        }
                        calls.incrementAndGet();
                    }
                } catch (Exception e) {
                    failure = e;
                }
            }, "caller-" + i);
            caller.setDaemon(true);
            caller.start();
        }
        System.out.println("READY");
        System.out.flush();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() - end < 0) {
            client.throttle.openWindow();
            windows.incrementAndGet();
            Thread.sleep(10);
        }
        if (failure != null) {
            throw failure;
        }
        if (calls.get() > 6 * windows.get()) {
            throw new IllegalStateException(calls + " calls in " + windows + " windows");
        }
        System.out.println("DONE " + calls);
    }
}
