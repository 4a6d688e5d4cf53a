// Two barriers: one flips a flag each round and lets the last one tidy up, the other collects a bit from everybody.
// @lock Bracken$Fold
// @type BARRIER parties=3
// @role arrive Bracken$Fold.gather
// @lock Bracken$Hedge
// @type BARRIER parties=4
// @role arrive Bracken$Hedge.meet
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class Bracken {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Fold {
        private int missing = 3;
        private boolean side;
        private final Runnable tidy;

        Fold(Runnable tidy) {
            this.tidy = tidy;
        }

        void gather() throws InterruptedException {
            synchronized (this) {
                boolean mine = side;
                missing--;
                if (missing > 0) {
                    do {
                        wait();
                    } while (mine == side);
                } else {
                    tidy.run();
                    missing = 3;
                    side = !mine;
                    notifyAll();
                }
            }
        }
    }

    static final class Hedge {
        private static final int ALL = 0xF;
        private int present;
        private int season;

        synchronized int meet(int id) throws InterruptedException {
            int s = season;
            present |= 1 << id;
            if (present == ALL) {
                present = 0;
                season = s + 1;
                notifyAll();
            } else {
                while (season == s) {
                    wait();
                }
            }
            return s;
        }
    }

    final int[] wool = new int[3];
    long shorn;
    final Fold fold = new Fold(this::weigh);
    final Hedge hedge = new Hedge();
    final AtomicIntegerArray cut = new AtomicIntegerArray(4);

    void weigh() {
        for (int i = 0; i < wool.length; i++) {
            if (wool[i] == 0) {
                broken = "weighed before sheep " + i + " was shorn";
            }
            shorn += wool[i];
            wool[i] = 0;
        }
        OPS.incrementAndGet();
    }

    void shear(int id) throws InterruptedException {
        nap(2, 9);
        wool[id] = id + 1;
        fold.gather();
    }

    void trim(int id) throws InterruptedException {
        nap(2, 9);
        int mine = cut.incrementAndGet(id);
        int season = hedge.meet(id);
        if (season != mine - 1) {
            broken = "season " + season + " at cut " + mine;
        }
        for (int i = 0; i < 4; i++) {
            if (cut.get(i) < mine) {
                broken = "went on without " + i;
            }
        }
        OPS.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Bracken b = new Bracken();
        for (int i = 0; i < 4; i++) {
            final int id = i;
            if (id < 3) {
                crew("shearer-" + id, () -> b.shear(id));
            }
            crew("trimmer-" + id, () -> b.trim(id));
        }
        watch(args);
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void crew(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void watch(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.currentTimeMillis() + (args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
