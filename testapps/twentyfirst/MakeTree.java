// @lock MakeTree$Outputs
// @type LATCH count=3
// @role count-down MakeTree$Outputs.written
// @role await MakeTree$Outputs.awaitAll
//
// @lock MakeTree$Compile
// @type JOIN
// @role join java.lang.Thread.join

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A build system: three compilers a module; linking starts when all outputs are there, the log closes when all compilers have ended. */
public class MakeTree {

    static class Outputs {
        private int missing = 3;
        final AtomicInteger files = new AtomicInteger();

        synchronized void written() {
            if (missing > 0 && --missing == 0)
                notifyAll();
        }

        synchronized void awaitAll() throws InterruptedException {
            while (missing > 0)
                wait();
        }
    }

    static class Compile extends Thread {
        private final Outputs outputs;
        private final int cost;
        volatile boolean tidied;

        Compile(Outputs outputs, int cost) {
            this.outputs = outputs;
            this.cost = cost;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(cost);
                outputs.files.incrementAndGet();
                outputs.written();
                Thread.sleep(2 + cost / 2); // warnings are sorted, scratch files removed
                tidied = true;
            } catch (InterruptedException e) {
                failure = "compiler interrupted";
            }
        }
    }

    static class Module extends Thread {
        private final Random random;

        Module(String name, long seed) {
            super(name);
            random = new Random(seed);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (failure == null)
                    build();
            } catch (InterruptedException e) {
                failure = getName() + " interrupted";
            }
        }

        private void build() throws InterruptedException {
            Outputs outputs = new Outputs();
            List<Compile> compilers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Compile c = new Compile(outputs, 3 + random.nextInt(6));
                c.setDaemon(true);
                compilers.add(c);
                c.start();
            }
            outputs.awaitAll();
            if (outputs.files.get() != 3)
                failure = "linked with " + outputs.files + " files";
            for (Compile c : compilers) {
                c.join();
                if (!c.tidied)
                    failure = "log closed too early";
            }
            builds.incrementAndGet();
            Thread.sleep(3);
        }
    }

    static final AtomicLong builds = new AtomicLong();
    static volatile String failure;

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (String n : new String[] {"core", "net", "ui"})
            new Module(n, n.hashCode()).start();
        System.out.println("READY");
        for (long i = 0; i < 20L * seconds && failure == null; i++)
            Thread.sleep(50);
        if (failure != null) {
            System.out.println("FAILURE " + failure);
            System.exit(1);
        }
        System.out.println("DONE " + builds);
        System.exit(0);
    }
}
