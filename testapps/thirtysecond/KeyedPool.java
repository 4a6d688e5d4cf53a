// @lock KeyedPool$Pools
// @type SEMAPHORE
// @role acquire KeyedPool$Pools.lease
// @role release KeyedPool$Pools.release

// @lock KeyedPool$Evictor
// @type DELAY
// @role delay KeyedPool$Evictor.pause

// @lock KeyedPool$Shutdown
// @type LATCH count=1
// @role count-down KeyedPool$Shutdown.signal
// @role await KeyedPool$Shutdown.await

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Connections to each route, two at most to any; an evictor with a stoppable pause; a signal for the end of each round. */
public class KeyedPool {
    static final class Pools {
        private final Map<String, Integer> leased = new HashMap<>();

        synchronized void lease(String route) throws InterruptedException {
            while (leased.getOrDefault(route, 0) >= 2) {
                wait();
            }
            leased.merge(route, 1, Integer::sum);
        }

        synchronized void release(String route) {
            leased.computeIfPresent(route, (r, n) -> n - 1);
            notifyAll();
        }
    }

    static final class Evictor {
        private final long period;
        int runs;

        Evictor(long period) {
            this.period = period;
        }

        private synchronized void pause() throws InterruptedException {
            long now = System.nanoTime();
            long end = now + period * 1_000_000L;
            while (now < end) {
                wait(Math.max(1, (end - now) / 1_000_000L));
                now = System.nanoTime();
            }
        }

        void once() throws InterruptedException {
            pause();
            runs++;
        }
    }

    static final class Shutdown {
        private boolean signalled;

        synchronized boolean await(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000L;
            while (!signalled) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                wait(left / 1_000_000L + 1);
            }
            return true;
        }

        synchronized void signal() {
            signalled = true;
            notifyAll();
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Pools pools = new Pools();
        Queue<Shutdown> rounds = new java.util.concurrent.ConcurrentLinkedQueue<>();
        Map<String, AtomicInteger> used = new HashMap<>();
        String[] routes = {"a:80", "b:443"};
        for (String r : routes) {
            used.put(r, new AtomicInteger());
        }
        for (int i = 0; i < 7; i++) {
            loop("client-" + i, () -> {
                String r = routes[ThreadLocalRandom.current().nextInt(2)];
                pools.lease(r);
                check(used.get(r).incrementAndGet() <= 2, "route " + r);
                pause(1, 5);
                used.get(r).decrementAndGet();
                pools.release(r);
            });
        }
        Evictor evictor = new Evictor(9);
        loop("evictor", () -> {
            evictor.once();
            Shutdown s = rounds.poll();
            if (s != null) {
                s.signal();
            }
        });
        for (int i = 0; i < 2; i++) {
            loop("stopper-" + i, () -> {
                Shutdown s = new Shutdown();
                rounds.add(s);
                check(s.await(20_000), "no signal");
                pause(1, 5);
            });
        }
        finish(args);
    }
}
