// Loads that leave once four straps are fastened, and load sheets computed once and awaited by several.
// @lock Gantry$Load
// @type LATCH count=4
// @role count-down Gantry$Load.fasten
// @role await Gantry$Load.ready
// @lock Gantry$Sheet
// @type LATCH count=1 form=future
// @role count-down Gantry$Sheet.fill
// @role await Gantry$Sheet.read
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

public class Gantry {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Load {
        private int loose;
        final AtomicInteger fastened = new AtomicInteger();

        Load(int straps) {
            loose = straps;
        }

        synchronized void fasten() {
            if (loose > 0 && --loose == 0) {
                notifyAll();
            }
        }

        synchronized void ready() throws InterruptedException {
            while (loose > 0) {
                wait();
            }
        }
    }

    static final class Sheet {
        private final long seed = ThreadLocalRandom.current().nextInt(1, 1000);
        private Long weight;
        private Exception failure;

        void fill(Long w, Exception e) {
            synchronized (this) {
                if (weight == null && failure == null) {
                    weight = w;
                    failure = e;
                    this.notifyAll();
                }
            }
        }

        long read() throws InterruptedException {
            synchronized (this) {
                while (weight == null && failure == null) {
                    this.wait();
                }
                return failure != null ? -1 : weight;
            }
        }
    }

    /** Strap men work off their own lock-free lists; the crane man makes loads and waits for them. */
    static final int STRAPS = 4;
    final ConcurrentLinkedQueue<Load> yard = new ConcurrentLinkedQueue<>();
    final AtomicReference<Sheet> current = new AtomicReference<>(new Sheet());

    void strap() throws InterruptedException {
        Load l = yard.poll();
        if (l == null) {
            Thread.sleep(2);
            return;
        }
        nap(1, 3);
        l.fastened.incrementAndGet();
        l.fasten();
    }

    void crane() throws InterruptedException {
        Load l = new Load(STRAPS);
        for (int i = 0; i < STRAPS; i++) {
            yard.add(l);
        }
        l.ready();
        if (l.fastened.get() != STRAPS) {
            broken = "left with a loose strap";
        }
        OPS.incrementAndGet();
        nap(1, 3);
    }

    void clerk() throws InterruptedException {
        nap(2, 5);
        Sheet s = current.get();
        nap(3, 8);
        if (s.seed % 17 == 0) {
            s.fill(null, new IllegalStateException("scale off"));
        } else {
            s.fill(s.seed * 3, null);
        }
        current.set(new Sheet());
    }

    void driver() throws InterruptedException {
        Sheet s = current.get();
        long w = s.read();
        if (w != (s.seed % 17 == 0 ? -1 : s.seed * 3)) {
            broken = "sheet misread";
        }
        OPS.incrementAndGet();
        nap(1, 4);
    }

    public static void main(String[] args) throws InterruptedException {
        Gantry g = new Gantry();
        for (int i = 0; i < 3; i++) {
            crew("strap-" + i, g::strap);
            crew("driver-" + i, g::driver);
        }
        crew("crane-1", g::crane);
        crew("crane-2", g::crane);
        crew("clerk", g::clerk);
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
