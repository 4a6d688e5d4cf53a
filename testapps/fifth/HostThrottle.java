// @lock HostThrottle
// @type SEMAPHORE
// @role acquire HostThrottle.enter
// @role release HostThrottle.leave

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A web crawler that is polite: never more than two requests to one host at a time.
 *
 * <p>All hosts are behind one monitor, so there are as many counters as hosts and no number of permits is stated.
 */
public final class HostThrottle {
    private static final int PER_HOST = 2;

    private final Map<String, Integer> active = new HashMap<>();

    public synchronized void enter(String host) throws InterruptedException {
        while (active.getOrDefault(host, 0) >= PER_HOST) {
            wait();
        }
        active.merge(host, 1, Integer::sum);
    }

    public synchronized void leave(String host) {
        int before = active.get(host);
        if (before == 1) {
            active.remove(host);
        } else {
            active.put(host, before - 1);
        }
        if (before == PER_HOST) {
            notifyAll();
        }
    }

    private static final Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
    private static final AtomicLong pages = new AtomicLong();
    private static volatile String failure;

    private static void crawl(HostThrottle throttle, String[] hosts) {
        while (failure == null) {
            String host = hosts[ThreadLocalRandom.current().nextInt(hosts.length)];
            try {
                throttle.enter(host);
                try {
                    get(host);
                } finally {
                    throttle.leave(host);
                }
                Thread.sleep(1);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static void get(String host) throws InterruptedException {
        AtomicInteger n = seen.get(host);
        if (n.incrementAndGet() > PER_HOST) {
            failure = "more than two requests to " + host;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
        n.decrementAndGet();
        pages.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        String[] hosts = {"alpha.example", "beta.example", "gamma.example"};
        for (String h : hosts) {
            seen.put(h, new AtomicInteger());
        }
        HostThrottle throttle = new HostThrottle();
        for (int i = 0; i < 10; i++) {
            Thread t = new Thread(() -> crawl(throttle, hosts), "crawler-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + pages);
    }
}
