// @lock ParcelHub$Ramp
// @type PRODUCER-CONSUMER+CONDITION capacity=6
// @role put ParcelHub$Ramp.unload
// @role take ParcelHub$Ramp.pick
// @role wait ParcelHub$Ramp.awaitIdle
// @role notify ParcelHub$Ramp.sorted
//
// @lock ParcelHub$Scale
// @type MUTEX
// @role enter ParcelHub$Scale.weigh

/** A ramp of six parcels between vans and sorters; the cleaner waits until nothing lies there and nobody has a parcel in hand. */
public class ParcelHub {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    static class Ramp {
        private final int[] parcels = new int[6];
        private int count, next;
        private int inHand;
        private long unloaded, done;

        private boolean idle() {
            return count == 0 && inHand == 0;
        }

        synchronized void unload(int parcel) throws InterruptedException {
            while (count == parcels.length)
                wait();
            parcels[(next + count) % parcels.length] = parcel;
            count++;
            unloaded++;
            notifyAll();
        }

        synchronized int pick() throws InterruptedException {
            while (count == 0)
                wait();
            int p = parcels[next];
            next = (next + 1) % parcels.length;
            count--;
            inHand++;
            notifyAll();
            return p;
        }

        synchronized void sorted() {
            inHand--;
            done++;
            if (idle())
                notifyAll();
        }

        synchronized long awaitIdle() throws InterruptedException {
            while (!idle())
                wait();
            check(unloaded == done, "parcels lost: " + (unloaded - done));
            return done;
        }
    }

    static class Scale {
        private int onIt;
        private long grams;

        void weigh(int g) {
            synchronized (this) {
                check(onIt == 0, "two parcels on the scale");
                onIt = g;
                nap(1);
                grams += onIt;
                onIt = 0;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final Ramp ramp = new Ramp();
        final Scale scale = new Scale();
        for (int i = 0; i < 2; i++)
            loop("van-" + i, () -> {
                for (int n = rnd(4, 7); n > 0; n--)
                    ramp.unload(rnd(100, 999));
                nap(rnd(10, 22));
            });
        for (int i = 0; i < 3; i++)
            loop("sorter-" + i, () -> {
                int p = ramp.pick();
                try {
                    scale.weigh(p);
                } finally {
                    ramp.sorted();
                }
            });
        loop("cleaner", new Job() {
            private long before;

            @Override
            public void run() throws InterruptedException {
                long d = ramp.awaitIdle();
                check(d >= before, "went backwards");
                before = d;
                nap(rnd(4, 8));
            }
        });
        supervise(args);
    }
}
