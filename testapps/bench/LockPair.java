import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What an uncontended lock/unlock pair costs, beside two readings of the clock, in one JVM: for measuring what an exact
 * recording adds to it.
 *
 * <p>Arguments: seconds, threads (1), pairs in a block (8192), milliseconds of pause after a block (5: time for a recorder
 * to fetch what the block left). Each thread goes round these loads, a block of each, beginning with another one each time:
 *
 * <ul>
 * <li>loop: the loop and its counting, without a lock
 * <li>clock: the same with two System.nanoTime()
 * <li>block: with a synchronized block on a private object
 * <li>method: with a synchronized method
 * <li>many: as block, on 1,024 objects in turn
 * </ul>
 *
 * <p>Prints READY, then once a second the median of each load's blocks in nanoseconds for one turn of the loop, and the
 * number of blocks.
 *
 * <p>No lock here can be left out by the JIT: all objects are reachable from static fields (so escape analysis leaves
 * them alone), and two neighbouring turns of a loop take different objects (so unrolled turns have no two regions of one
 * object side by side to be made one). With -XX:-EliminateLocks it has to print the same. A load runs in calls of 128
 * turns: whatever has been replaced by a recorder is met within microseconds, and compiled as a whole method.
 */
public final class LockPair {
    private static final int TURNS = 128;
    private static final int MANY = 1024;
    private static final String[] NAMES = {"loop", "clock", "block", "method", "many"};
    private static final List<Load[]> ALL = new ArrayList<>();

    private LockPair() {
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = Integer.parseInt(args[0]);
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int calls = (args.length > 2 ? Integer.parseInt(args[2]) : 8192) / TURNS;
        int pause = args.length > 3 ? Integer.parseInt(args[3]) : 5;
        for (int t = 0; t < threads; t++) {
            Load[] loads = {new Loop(), new Clock(), new Block(2), new Method(), new Block(MANY)};
            ALL.add(loads);
            Thread thread = new Thread(() -> measure(loads, calls, pause), "pairs-" + t);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        for (int s = 0; s < seconds; s++) {
            Thread.sleep(1000);
            System.out.println(line());
            System.out.flush();
        }
    }

    private static void measure(Load[] loads, int calls, int pause) {
        try {
            for (int round = 0;; round++) {
                for (int n = 0; n < loads.length; n++) {
                    Load load = loads[(round + n) % loads.length];
                    load.blocks.add(nanosATurn(load, calls));
                    Thread.sleep(pause);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double nanosATurn(Load load, int calls) {
        long start = System.nanoTime();
        for (int call = 0; call < calls; call++) {
            load.run(TURNS);
        }
        return (System.nanoTime() - start) / (double) (calls * TURNS);
    }

    private static String line() {
        StringBuilder line = new StringBuilder();
        int fewest = Integer.MAX_VALUE;
        for (int n = 0; n < NAMES.length; n++) {
            List<Double> values = new ArrayList<>();
            for (Load[] loads : ALL) {
                for (Double value = loads[n].blocks.poll(); value != null; value = loads[n].blocks.poll()) {
                    values.add(value);
                }
            }
            fewest = Math.min(fewest, values.size());
            line.append(NAMES[n]).append(' ').append(median(values)).append(' ');
        }
        return line.append("blocks ").append(fewest).toString();
    }

    private static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    /** What is locked, and counts how often. */
    private static final class Cell {
        private final Object lock = new Object();
        private long count;

        synchronized void add() {
            count++;
        }
    }

    /** One thing to do again and again. */
    private abstract static class Load {
        final Queue<Double> blocks = new ConcurrentLinkedQueue<>();
        final Cell[] cells;

        Load(int count) {
            cells = new Cell[count];
            Arrays.setAll(cells, n -> new Cell());
        }

        abstract void run(int turns);
    }

    private static final class Loop extends Load {
        Loop() {
            super(2);
        }

        @Override
        void run(int turns) {
            for (int turn = 0; turn < turns; turn++) {
                Cell cell = cells[turn & 1];
                cell.count++;
            }
        }
    }

    private static final class Clock extends Load {
        Clock() {
            super(2);
        }

        @Override
        void run(int turns) {
            for (int turn = 0; turn < turns; turn++) {
                Cell cell = cells[turn & 1];
                cell.count += System.nanoTime() ^ System.nanoTime();
            }
        }
    }

    private static final class Block extends Load {
        private int next;

        Block(int count) {
            super(count);
        }

        @Override
        void run(int turns) {
            int mask = cells.length - 1;
            int first = next;
            for (int turn = 0; turn < turns; turn++) {
                Cell cell = cells[first + turn & mask];
                synchronized (cell.lock) {
                    cell.count++;
                }
            }
            next = first + turns & mask;
        }
    }

    private static final class Method extends Load {
        Method() {
            super(2);
        }

        @Override
        void run(int turns) {
            for (int turn = 0; turn < turns; turn++) {
                cells[turn & 1].add();
            }
        }
    }
}
