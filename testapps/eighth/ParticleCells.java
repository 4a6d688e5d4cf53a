// @lock java.lang.Object#exchange
// @type MUTEX
// @role enter ParticleCells$Box.exchange
//
// @lock ParticleCells$StepGate
// @type BARRIER parties=4
// @role arrive ParticleCells$StepGate.await

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Particles wandering between the cells of a box. A move locks both cells, the lower one first; the workers go through
 * the time steps together, and the last one to arrive counts the particles.
 */
public final class ParticleCells {
    private static final int WORKERS = 4;

    static final class Box {
        private final Object[] guards;
        private final int[] population;

        Box(int cells, int each) {
            guards = new Object[cells];
            population = new int[cells];
            Arrays.setAll(guards, i -> new Object());
            Arrays.fill(population, each);
        }

        void exchange(int from, int to) throws InterruptedException {
            Object first = guards[Math.min(from, to)];
            Object second = guards[Math.max(from, to)];
            synchronized (first) {
                synchronized (second) {
                    if (population[from] > 0) {
                        int left = population[from] - 1;
                        Thread.sleep((from + to) % 3 == 0 ? 1 : 0);
                        population[from] = left;
                        population[to]++;
                    }
                }
            }
        }

        int total() {
            return Arrays.stream(population).sum();
        }
    }

    static final class StepGate {
        private final int parties;
        private final IntConsumer atEnd;
        private int missing;
        private int step;

        StepGate(int parties, IntConsumer atEnd) {
            this.parties = parties;
            this.atEnd = atEnd;
            missing = parties;
        }

        synchronized int await() throws InterruptedException {
            int mine = step;
            if (--missing == 0) {
                atEnd.accept(mine);
                missing = parties;
                step++;
                notifyAll();
            } else {
                while (step == mine) {
                    wait();
                }
            }
            return mine;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Long.parseLong(args[0]) : 600);
        Box box = new Box(5, 40);
        AtomicLong steps = new AtomicLong();
        AtomicLong lost = new AtomicLong();
        boolean[] over = new boolean[1];
        StepGate gate = new StepGate(WORKERS, step -> {
            steps.incrementAndGet();
            if (box.total() != 200) {
                lost.incrementAndGet();
            }
            over[0] = System.nanoTime() - end > 0;
        });
        Thread[] workers = new Thread[WORKERS];
        for (int w = 0; w < WORKERS; w++) {
            SplittableRandom random = new SplittableRandom(w);
            workers[w] = new Thread(() -> {
                try {
                    do {
                        for (int move = 0; move < 6; move++) {
                            int from = random.nextInt(5);
                            box.exchange(from, (from + 1 + random.nextInt(4)) % 5);
                        }
                        gate.await();
                    } while (!over[0]);
                } catch (InterruptedException e) {
                    lost.incrementAndGet();
                }
            }, "worker-" + w);
            workers[w].start();
        }
        System.out.println("READY");
        System.out.flush();
        for (Thread worker : workers) {
            worker.join();
        }
        if (lost.get() != 0) {
            throw new IllegalStateException("particles were lost or made");
        }
        System.out.println("DONE " + steps);
    }
}
