// @lock TimerQueue$TaskHeap
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put TimerQueue$TaskHeap.schedule
// @role take TimerQueue$TaskHeap.nextDue
//
// @lock TimerQueue$FireLedger
// @type MUTEX
// @role enter TimerQueue$FireLedger.fired

import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A timer service: anybody schedules, five timer threads take what has become due, and each firing is booked. */
public final class TimerQueue {
    static final class Timeout implements Comparable<Timeout> {
        final long dueNanos;
        final String owner;

        Timeout(String owner, long delayMillis) {
            this.owner = owner;
            this.dueNanos = System.nanoTime() + delayMillis * 1_000_000;
        }

        @Override
        public int compareTo(Timeout other) {
            return Long.compare(dueNanos - other.dueNanos, 0);
        }
    }

    static final class TaskHeap {
        private final PriorityQueue<Timeout> heap = new PriorityQueue<>();
        private boolean cancelled;

        synchronized void schedule(Timeout timeout) {
            heap.add(timeout);
            if (heap.peek() == timeout) {
                notify();
            }
        }

        /** The first timeout once it is due; null after cancel. */
        synchronized Timeout nextDue() throws InterruptedException {
            while (!cancelled) {
                Timeout first = heap.peek();
                if (first == null) {
                    wait();
                    continue;
                }
                long nanos = first.dueNanos - System.nanoTime();
                if (nanos <= 0) {
                    heap.poll();
                    if (!heap.isEmpty()) {
                        notify();
                    }
                    return first;
                }
                wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
            }
            return null;
        }

        synchronized void cancel() {
            cancelled = true;
            heap.clear();
            notifyAll();
        }
    }

    static final class FireLedger {
        private final Map<String, Integer> firings = new HashMap<>();
        private long total;

        synchronized void fired(Timeout t) throws InterruptedException {
            if (++total % 2 == 0) {
                Thread.sleep(1);
            }
            firings.merge(t.owner, 1, Integer::sum);
        }

        synchronized boolean balanced() {
            return firings.values().stream().mapToLong(Integer::longValue).sum() == total;
        }

        synchronized long total() {
            return total;
        }
    }

    private static final AtomicLong scheduled = new AtomicLong();
    private static volatile String trouble;

    private static void timerLoop(TaskHeap heap, FireLedger ledger) {
        try {
            for (Timeout t; (t = heap.nextDue()) != null; ) {
                if (System.nanoTime() - t.dueNanos < 0) {
                    trouble = "fired too early";
                }
                ledger.fired(t);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void client(TaskHeap heap, String name) {
        try {
            while (trouble == null) {
                heap.schedule(new Timeout(name, ThreadLocalRandom.current().nextInt(0, 6)));
                scheduled.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(6, 16));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TaskHeap heap = new TaskHeap();
        FireLedger ledger = new FireLedger();
        Thread[] timers = new Thread[5];
        for (int i = 0; i < timers.length; i++) {
            timers[i] = new Thread(() -> timerLoop(heap, ledger), "timer-" + i);
            timers[i].setDaemon(true);
            timers[i].start();
        }
        for (int i = 0; i < 6; i++) {
            String name = "channel-" + i;
            Thread t = new Thread(() -> client(heap, name), name);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        heap.cancel();
        if (trouble == null && (!ledger.balanced() || ledger.total() > scheduled.get() + 6)) {
            trouble = "more fired than scheduled";
        }
        if (trouble != null) {
            throw new IllegalStateException(trouble);
        }
        System.out.println("DONE " + ledger.total());
    }
}
