// @lock RequestWindow$Limiter
// @type SEMAPHORE form=rate-limiter
// @role acquire RequestWindow$Limiter.permit
// @role release RequestWindow$Limiter.refresh

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A client library that keeps to a service's limit of five requests a window; a timer opens a new window every 10 ms. */
public final class RequestWindow {
    static final class Limiter {
        private final int perWindow;
        private int left;
        private long windows;

        Limiter(int perWindow) {
            this.perWindow = perWindow;
            left = perWindow;
        }

        /** Returns the number of the window in which the request is made. */
        synchronized long permit() throws InterruptedException {
            while (left == 0) {
                wait();
            }
            left--;
            return windows;
        }

        synchronized void refresh() {
            boolean used = left == 0;
            left = perWindow;
            windows++;
            if (used) {
                notifyAll();
            }
        }
    }

    static final int LIMIT = 5;
    static final Limiter limiter = new Limiter(LIMIT);
    static final AtomicInteger[] used = new AtomicInteger[1024];
    static final AtomicLong requests = new AtomicLong();
    static volatile boolean exceeded;

    static void client() throws InterruptedException {
        long window = limiter.permit();
        if (used[(int) (window % used.length)].incrementAndGet() > LIMIT) {
            exceeded = true;
        }
        requests.incrementAndGet();
        Thread.sleep(1);
    }

    static void timer() throws InterruptedException {
        Thread.sleep(10);
        long next = requestsInHalf();
        used[(int) next].set(0);
        limiter.refresh();
    }

    /** The slot half a table ahead: nobody can be that late, nobody is that early. */
    private static long requestsInHalf() {
        return (tick++ + used.length / 2) % used.length;
    }

    private static long tick;

    interface Body {
        void run() throws InterruptedException;
    }

    static void loop(Body body, String name) {
        Thread t = new Thread(() -> {
            try {
                while (!exceeded) {
                    body.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < used.length; i++) {
            used[i] = new AtomicInteger();
        }
        for (int i = 0; i < 6; i++) {
            loop(RequestWindow::client, "client-" + i);
        }
        loop(RequestWindow::timer, "timer");
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (exceeded) {
            throw new IllegalStateException("more requests than allowed in one window");
        }
        System.out.println("DONE " + requests);
    }
}
