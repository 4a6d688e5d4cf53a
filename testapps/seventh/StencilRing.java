// @lock StencilRing$Flag
// @type BARRIER parties=4
// @role arrive StencilRing$Dissemination.arrive

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A stencil computed by four workers that meet at a dissemination barrier: no counter and no monitor that all of them take.
 * In round r each worker raises a flag of the worker 2^r further on and waits for its own; after two rounds all have come.
 */
public final class StencilRing {
    static final class Flag {
        private int raised;
    }

    static final class Dissemination {
        private final Flag[][] flags;
        private final int[] episode;

        Dissemination(int parties) {
            int rounds = 32 - Integer.numberOfLeadingZeros(parties - 1);
            flags = new Flag[parties][rounds];
            for (Flag[] row : flags) {
                for (int r = 0; r < rounds; r++) {
                    row[r] = new Flag();
                }
            }
            episode = new int[parties];
        }

        void arrive(int me) throws InterruptedException {
            int wanted = ++episode[me];
            for (int r = 0; r < flags[me].length; r++) {
                Flag partner = flags[(me + (1 << r)) % flags.length][r];
                synchronized (partner) {
                    partner.raised++;
                    partner.notify();
                }
                Flag mine = flags[me][r];
                synchronized (mine) {
                    while (mine.raised < wanted) {
                        mine.wait();
                    }
                }
            }
        }
    }

    private static final int WORKERS = 4;
    private static final AtomicLongArray cells = new AtomicLongArray(WORKERS);
    private static final AtomicLongArray steps = new AtomicLongArray(WORKERS);
    private static volatile boolean broken;

    private static void work(int me, Dissemination barrier) {
        try {
            for (long step = 1;; step++) {
                long left = cells.get((me + WORKERS - 1) % WORKERS);
                long right = cells.get((me + 1) % WORKERS);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                barrier.arrive(me);
                cells.set(me, left + right & 0xFFFF);
                steps.set(me, step);
                barrier.arrive(me);
                for (int i = 0; i < WORKERS; i++) {
                    broken |= steps.get(i) != step;
                }
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Dissemination barrier = new Dissemination(WORKERS);
        for (int i = 0; i < WORKERS; i++) {
            int me = i;
            cells.set(i, i);
            Thread t = new Thread(() -> work(me, barrier), "worker-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken) {
            throw new IllegalStateException("a worker ran ahead");
        }
        System.out.println("DONE " + steps.get(0));
    }
}
