// @lock CrawlWaves$Fetcher
// @type JOIN
// @role join java.lang.Thread.join
//
// @lock CrawlWaves$Frontier
// @type MUTEX
// @role enter CrawlWaves$Frontier.offer

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A crawler in waves: each page of a wave is fetched by a thread of its own, and the next wave begins when all have been joined. */
public final class CrawlWaves {
    static final class Frontier {
        private final Set<Integer> pages = new HashSet<>();

        synchronized void offer(int page) throws InterruptedException {
            pages.add(page);
            Thread.sleep(2);
        }

        synchronized List<Integer> takeAll() {
            List<Integer> wave = new ArrayList<>(pages);
            pages.clear();
            return wave;
        }
    }

    static final class Fetcher extends Thread {
        private final Frontier frontier;
        private final int page;
        private boolean fetched;

        Fetcher(Frontier frontier, int page) {
            super("fetch-" + page);
            this.frontier = frontier;
            this.page = page;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 10));
                frontier.offer(page * 31 % 97);
                frontier.offer(page * 17 % 89);
                fetched = true;
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private static volatile boolean stop;
    private static volatile boolean missed;
    private static final AtomicLong fetched = new AtomicLong();

    private static void crawl(int seed) throws InterruptedException {
        Frontier frontier = new Frontier();
        while (!stop) {
            List<Integer> wave = frontier.takeAll();
            if (wave.isEmpty()) {
                wave.add(seed);
            }
            List<Fetcher> fetchers = new ArrayList<>();
            for (int page : wave.subList(0, Math.min(4, wave.size()))) {
                Fetcher f = new Fetcher(frontier, page);
                fetchers.add(f);
                f.start();
            }
            for (Fetcher f : fetchers) {
                f.join();
                missed |= !f.fetched;
                fetched.incrementAndGet();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] crawlers = new Thread[2];
        for (int i = 0; i < crawlers.length; i++) {
            int seed = i + 5;
            crawlers[i] = new Thread(() -> {
                try {
                    crawl(seed);
                } catch (InterruptedException e) {
                    missed = true;
                }
            }, "crawler-" + i);
            crawlers[i].setDaemon(true);
            crawlers[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : crawlers) {
            t.join(5_000);
        }
        if (missed || fetched.get() == 0) {
            throw new IllegalStateException("a page was not there after its join");
        }
        System.out.println("DONE " + fetched);
    }
}
