// @lock PoolGate$Mutex
// @type SEMAPHORE permits=6
// @role acquire PoolGate$Mutex.lock
// @role release PoolGate$Mutex.unlock
//
// @lock PoolGate$Barrier
// @type CONDITION
// @role wait PoolGate$Barrier.arrive
// @role notify PoolGate$Barrier.reset

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Names that have outlived their code: the "mutex" gives out memory pages, the "barrier" tells of new configurations. */
public class PoolGate {

    static final class Mutex {
        private int locked;

        /** Once there was only one page. */
        synchronized void lock(int pages) throws InterruptedException {
            while (locked + pages > 6) {
                wait();
            }
            locked += pages;
        }

        synchronized void unlock(int pages) {
            locked -= pages;
            if (locked < 0) {
                fault = "more pages given back than taken";
            }
            notifyAll();
        }
    }

    static final class Barrier {
        private String party = "";

        /** Waits for a configuration that is not the one the caller has. */
        synchronized String arrive(String known) throws InterruptedException {
            while (party.equals(known)) {
                wait();
            }
            return party;
        }

        synchronized void reset(String configuration) {
            party = configuration;
            notifyAll();
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final AtomicInteger USED = new AtomicInteger();
    static final Mutex MUTEX = new Mutex();
    static final Barrier BARRIER = new Barrier();

    static void filter() throws InterruptedException {
        while (true) {
            int pages = ThreadLocalRandom.current().nextInt(1, 4);
            MUTEX.lock(pages);
            try {
                if (USED.addAndGet(pages) > 6) {
                    fault = "more pages in use than there are";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                USED.addAndGet(-pages);
            } finally {
                MUTEX.unlock(pages);
            }
            OPS.incrementAndGet();
            Thread.sleep(1);
        }
    }

    static void listener() throws InterruptedException {
        String mine = "";
        int number = -1;
        while (true) {
            mine = BARRIER.arrive(mine);
            int n = Integer.parseInt(mine.substring(1));
            if (n <= number) {
                fault = "configuration " + n + " after " + number;
            }
            number = n;
            OPS.incrementAndGet();
        }
    }

    static void administrator() throws InterruptedException {
        for (int i = 0; true; i++) {
            BARRIER.reset("c" + i);
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 12));
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 8; i++) {
            final int id = i;
            Thread t = new Thread("t-" + i) {
                @Override public void run() {
                    try {
                        if (id == 0) {
                            administrator();
                        } else if (id < 3) {
                            listener();
                        } else {
                            filter();
                        }
                    } catch (InterruptedException e) {
                        fault = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(50);
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
