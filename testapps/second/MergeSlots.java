// @lock MergeSlots$Scheduler
// @type SEMAPHORE permits=3
// @role acquire MergeSlots$Scheduler.merge
// @role release MergeSlots$Scheduler.mergeFinished

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An index writer with a merge scheduler: indexing threads stall when too many merge threads are running. */
public class MergeSlots {
    static class Scheduler {
        private final List<MergeThread> mergeThreads = new ArrayList<>();
        private final int maxMergeThreads;
        final AtomicLong merges = new AtomicLong();
        final AtomicInteger active = new AtomicInteger();
        volatile String broken;

        Scheduler(int maxMergeThreads) {
            this.maxMergeThreads = maxMergeThreads;
        }

        private int mergeThreadCount() {
            return mergeThreads.size();
        }

        synchronized void merge(int segments) {
            while (mergeThreadCount() >= maxMergeThreads) {
                try {
                    wait();
                } catch (InterruptedException ie) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
            MergeThread merger = new MergeThread(segments);
            mergeThreads.add(merger);
            merger.start();
        }

        synchronized void mergeFinished(MergeThread t) {
            if (!mergeThreads.remove(t)) {
                broken = "unknown merge";
            }
            notifyAll();
        }

        private class MergeThread extends Thread {
            private final int segments;

            MergeThread(int segments) {
                this.segments = segments;
                setDaemon(true);
            }

            @Override
            public void run() {
                try {
                    if (active.incrementAndGet() > maxMergeThreads) {
                        broken = "too many merges";
                    }
                    sleep(segments);
                    merges.incrementAndGet();
                } catch (InterruptedException e) {
                    broken = "merge interrupted";
                } finally {
                    active.decrementAndGet();
                    mergeFinished(this);
                }
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Scheduler scheduler = new Scheduler(3);
        long end = System.currentTimeMillis() + seconds * 1000;
        Thread[] indexers = new Thread[2];
        for (int i = 0; i < indexers.length; i++) {
            Random rnd = new Random(i);
            indexers[i] = new Thread("indexer-" + i) {
                @Override
                public void run() {
                    int docs = 0;
                    while (System.currentTimeMillis() < end) {
                        docs += rnd.nextInt(10);
                        try {
                            sleep(rnd.nextInt(6));
                        } catch (InterruptedException e) {
                            return;
                        }
                        if (docs > 5) {
                            scheduler.merge(6 + docs / 2);
                            docs = 0;
                        }
                    }
                }
            };
        }
        for (Thread t : indexers) {
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        for (Thread t : indexers) {
            t.join();
        }
        if (scheduler.broken != null) {
            System.out.println(scheduler.broken);
            System.exit(1);
        }
        System.out.println("DONE " + scheduler.merges);
    }
}
