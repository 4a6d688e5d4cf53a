// Three ways to pause with a timed wait: on oneself, on a private object, on a class.
// @lock Sluice$Gauge
// @type DELAY
// @role delay Sluice$Gauge.rest
// @lock java.lang.Object#pauseUntil
// @type DELAY
// @role delay Sluice$Pump.pauseUntil
// @lock java.lang.Class#breathe
// @type DELAY
// @role delay Sluice$Calm.breathe
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Sluice {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Gauge {
        private int level;

        void measure() throws InterruptedException {
            level = (level + 3) % 100;
            rest(ThreadLocalRandom.current().nextInt(4, 12));
        }

        private synchronized void rest(int ms) throws InterruptedException {
            long t = System.nanoTime();
            wait(ms);
            if (System.nanoTime() - t > 20000000000L) {
                broken = "rested too long";
            }
        }
    }

    static final class Pump {
        private final Object idle = new Object();
        private long strokes;

        void stroke() throws InterruptedException {
            strokes++;
            long due = System.nanoTime() + 1000000L * (5 + strokes % 7);
            pauseUntil(due);
            if (System.nanoTime() < due) {
                broken = "pump did not pause";
            }
        }

        void pauseUntil(long due) throws InterruptedException {
            synchronized (idle) {
                for (;;) {
                    long ns = due - System.nanoTime();
                    if (ns <= 0) {
                        return;
                    }
                    idle.wait(ns / 1000000L + 1);
                }
            }
        }
    }

    static final class Calm {
        private Calm() {
        }

        static synchronized void breathe() throws InterruptedException {
            Calm.class.wait(7);
        }
    }

    static void keeper() throws InterruptedException {
        Calm.breathe();
        OPS.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            Gauge g = new Gauge();
            Pump p = new Pump();
            crew("gauge-" + i, () -> {
                g.measure();
                OPS.incrementAndGet();
            });
            crew("pump-" + i, () -> {
                p.stroke();
                OPS.incrementAndGet();
            });
            crew("keeper-" + i, Sluice::keeper);
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
