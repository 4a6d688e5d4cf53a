// @lock AllReduce$Communicator
// @type BARRIER parties=4
// @role arrive AllReduce$Communicator.reduce

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongBinaryOperator;

/** A collective operation as message-passing libraries have it: four ranks contribute a value each, all get the result. */
public final class AllReduce {
    static final class Communicator {
        /** One exchange; a new one is begun by the rank that completes the old one. */
        private static final class Round {
            long value;
            int contributions;
            boolean complete;
        }

        private final int ranks;
        private Round current = new Round();

        Communicator(int ranks) {
            this.ranks = ranks;
        }

        long reduce(long mine, LongBinaryOperator operator) {
            synchronized (this) {
                Round round = current;
                round.value = round.contributions++ == 0 ? mine : operator.applyAsLong(round.value, mine);
                if (round.contributions == ranks) {
                    round.complete = true;
                    current = new Round();
                    notifyAll();
                }
                boolean interrupted = false;
                while (!round.complete) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return round.value;
            }
        }
    }

    private static final int RANKS = 4;
    private static final Communicator world = new Communicator(RANKS);
    private static final AtomicLong reductions = new AtomicLong();
    private static volatile String fault;

    private static void rank(int rank) {
        for (long i = 0; fault == null; i++) {
            long sum = world.reduce(i * rank, Long::sum);
            if (sum != i * (RANKS * (RANKS - 1) / 2)) {
                fault = "sum " + sum + " in step " + i;
            }
            pause();
            long max = world.reduce(rank == i % RANKS ? i : -1, Math::max);
            if (max != i) {
                fault = "maximum " + max + " in step " + i;
            }
            reductions.incrementAndGet();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < RANKS; i++) {
            int rank = i;
            Thread t = new Thread(() -> rank(rank), "rank " + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        TimeUnit.SECONDS.sleep(seconds);
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
        System.out.println("DONE " + reductions);
    }
}
