// @lock CrawlThrottle$Bucket
// @type SEMAPHORE form=rate-limiter
// @role acquire CrawlThrottle$Bucket.take
// @role release CrawlThrottle$Bucket.drip
//
// @lock CrawlThrottle$Site
// @type LATCH count=4
// @role count-down CrawlThrottle$Site.arrived
// @role await CrawlThrottle$Site.whole

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A crawler that may fetch only so many pages in a time: four pages make a site, and an indexer awaits whole sites. */
public class CrawlThrottle {
    static final int BURST = 5;
    static volatile String fault;
    static final AtomicLong dripped = new AtomicLong(BURST);
    static final AtomicLong taken = new AtomicLong();
    static final AtomicLong sites = new AtomicLong();

    static final class Bucket {
        private int drops = BURST;

        void take() throws InterruptedException {
            synchronized (this) {
                while (drops == 0) {
                    wait();
                }
                --drops;
            }
        }

        void drip(int n) {
            synchronized (this) {
                int room = BURST - drops;
                int added = Math.min(room, n);
                drops += added;
                dripped.addAndGet(added);
                notifyAll();
            }
        }
    }

    /** A site's pages, by name; whole once there are four. */
    static final class Site {
        private final List<String> pages = new ArrayList<>();

        synchronized void arrived(String page) {
            pages.add(page);
            if (pages.size() == 4) {
                notifyAll();
            }
        }

        synchronized List<String> whole() throws InterruptedException {
            while (pages.size() < 4) {
                wait();
            }
            return pages;
        }
    }

    static final class Fetch {
        final Site site;
        final String page;

        Fetch(Site site, String page) {
            this.site = site;
            this.page = page;
        }
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void forever(String name, Step s) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    s.go();
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Bucket bucket = new Bucket();
        ConcurrentLinkedQueue<Fetch> frontier = new ConcurrentLinkedQueue<>();
        forever("clock", () -> {
            Thread.sleep(5);
            bucket.drip(2);
        });
        for (int i = 0; i < 4; i++) {
            forever("fetcher-" + i, () -> {
                Fetch f = frontier.poll();
                if (f == null) {
                    Thread.sleep(2);
                    return;
                }
                bucket.take();
                if (taken.incrementAndGet() > dripped.get()) {
                    fault = "faster than allowed";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                f.site.arrived(f.page);
            });
        }
        for (int i = 0; i < 3; i++) {
            final int n = i;
            forever("indexer-" + i, () -> {
                Site s = new Site();
                for (int p = 0; p < 4; p++) {
                    frontier.add(new Fetch(s, "page-" + n + "-" + p));
                }
                if (s.whole().size() != 4) {
                    fault = "a site of " + s.whole().size() + " pages";
                }
                sites.incrementAndGet();
                Thread.sleep(2);
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + sites.get());
        System.exit(0);
    }
}
