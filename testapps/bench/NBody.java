import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gravity among 24,000 bodies with a lock each, after the program with which Reiss and Tarvo measured what tracing costs
 * ("Dynamic Analysis of Java Locks": gravity among 10,000 objects and groups of them, 24,000 contended locks; what it does
 * in detail is not said). A fixed amount of work, so that its time is the figure.
 *
 * <p>Threads take body after body from one counter. Each body is pulled by the groups far away, whose masses and centres
 * are read without a lock, and pulls and is pulled by the next ones in space, each pair in small steps under both bodies'
 * locks, the one of the smaller number first. Threads work side by side in space, so neighbours are what they contend for.
 *
 * <p>Arguments: bodies to move in the measured part (480000), bodies there are (24000), threads (8), groups far away
 * (1000), pairs for each body (2), steps in a pair (400). Prints READY, then works without being measured until a line
 * comes on standard input; then does the measured part and prints
 *
 * <pre>DONE milliseconds, processor milliseconds of the JVM, locks taken</pre>
 *
 * and ends when standard input does: whoever asks has time to look at the process.
 *
 * <p>What a pair gives one body it takes from the other: where the sum is not zero in the end, an update was lost, and
 * the program ends with status 1.
 */
public final class NBody {
    private static final double SOFTENING = 1e-3;
    private static final double STEP = 1e-6;

    private final Body[] bodies;
    private final double[][] groups;
    private final int threads;
    private final int pairs;
    private final int steps;
    private final AtomicLong next = new AtomicLong();
    private volatile boolean warm;

    private NBody(int bodies, int threads, int groups, int pairs, int steps) {
        this.bodies = new Body[bodies];
        this.groups = new double[groups][];
        this.threads = threads;
        this.pairs = pairs;
        this.steps = steps;
        Random random = new Random(42);
        for (int n = 0; n < bodies; n++) {
            this.bodies[n] = new Body(n, bodies, random);
        }
        for (int n = 0; n < groups; n++) {
            this.groups[n] = new double[] {random.nextDouble(), random.nextDouble(), random.nextDouble(), random.nextDouble()};
        }
    }

    public static void main(String[] args) throws Exception {
        int[] numbers = {480_000, 24_000, 8, 1_000, 2, 400};
        for (int n = 0; n < args.length; n++) {
            numbers[n] = Integer.parseInt(args[n]);
        }
        NBody world = new NBody(numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
        System.out.println("READY");
        System.out.flush();
        Thread[] warming = world.start(Long.MAX_VALUE);
        if (System.in.read() < 0) {
            throw new IllegalStateException("nobody says go");
        }
        world.warm = true;
        join(warming);
        world.next.set(0);
        long processor = processorNanos();
        long start = System.nanoTime();
        join(world.start(numbers[0]));
        long took = System.nanoTime() - start;
        processor = processorNanos() - processor;
        System.out.println("DONE " + took / 1_000_000 + " " + processor / 1_000_000 + " " + 2L * numbers[0] * numbers[4]);
        if (!world.balanced()) {
            System.out.println("an update was lost");
            System.exit(1);
        }
        System.out.flush();
        while (System.in.read() >= 0) {
            continue;
        }
    }

    private static long processorNanos() {
        java.lang.management.OperatingSystemMXBean system = java.lang.management.ManagementFactory.getOperatingSystemMXBean();
        return ((com.sun.management.OperatingSystemMXBean) system).getProcessCpuTime();
    }

    private Thread[] start(long work) {
        Thread[] started = new Thread[threads];
        boolean measured = work < Long.MAX_VALUE;
        for (int t = 0; t < threads; t++) {
            started[t] = new Thread(() -> move(work, measured), "mover-" + t);
            started[t].start();
        }
        return started;
    }

    private static void join(Thread[] started) throws InterruptedException {
        for (Thread thread : started) {
            thread.join();
        }
    }

    private void move(long work, boolean measured) {
        for (long n = next.getAndIncrement(); n < work && (measured || !warm); n = next.getAndIncrement()) {
            move((int) (n % bodies.length));
        }
    }

    private void move(int n) {
        Body body = bodies[n];
        body.far(groups);
        for (int p = 1; p <= pairs; p++) {
            pair(body, bodies[(n + p) % bodies.length]);
        }
    }

    private void pair(Body one, Body other) {
        Body first = one.number < other.number ? one : other;
        Body second = first == one ? other : one;
        synchronized (first) {
            synchronized (second) {
                first.meet(second, steps);
            }
        }
    }

    private boolean balanced() {
        double sum = 0;
        double most = 0;
        for (Body body : bodies) {
            sum += body.near;
            most = Math.max(most, Math.abs(body.near));
        }
        return most > 0 && Math.abs(sum) < 1e-9 * most * bodies.length;
    }

    /** A point mass. Fields are read and written under its own lock, save for what only the thread that moves it uses. */
    private static final class Body {
        private final int number;
        private final double x;
        private final double y;
        private final double z;
        private double near;
        private volatile double far;

        Body(int number, int bodies, Random random) {
            this.number = number;
            x = (number + random.nextDouble()) / bodies;
            y = random.nextDouble() / bodies;
            z = random.nextDouble() / bodies;
        }

        /** The pull of the groups: each stands for its bodies. */
        void far(double[][] groups) {
            double sum = 0;
            for (double[] group : groups) {
                double dx = group[0] - x;
                double dy = group[1] - y;
                double dz = group[2] - z;
                double square = dx * dx + dy * dy + dz * dz + SOFTENING;
                sum += group[3] * dx / (square * Math.sqrt(square));
            }
            far = sum;
        }

        /** The pull of one other body, in steps: each needs the distance that the one before left. */
        void meet(Body other, int steps) {
            double dx = other.x - x;
            double dy = other.y - y;
            double dz = other.z - z;
            double gained = 0;
            for (int step = 0; step < steps; step++) {
                double square = dx * dx + dy * dy + dz * dz + SOFTENING;
                double pull = STEP * dx / (square * Math.sqrt(square));
                gained += pull;
                dx -= pull * STEP;
            }
            near += gained;
            other.near -= gained;
        }
    }
}
