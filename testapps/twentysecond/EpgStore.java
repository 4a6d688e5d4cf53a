// @lock EpgStore$Guide
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock EpgStore$Guide.pin
// @role read-unlock EpgStore$Guide.unpin
// @role write-lock EpgStore$Guide.beginLoad
// @role write-unlock EpgStore$Guide.endLoad
//
// @lock EpgStore$Logo
// @type LATCH count=1 form=future
// @role count-down EpgStore$Logo.decoded
// @role await EpgStore$Logo.pixels

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** The programme guide of a set-top box: applications pin it (again, in nested queries) while it is read, loaders replace whole days; channel logos are decoded once for all who want them. */
public class EpgStore {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static class Guide {
        /** One entry for each pin, hence a thread may be in it more than once. */
        private final List<Thread> pins = new ArrayList<>();
        private Thread loader;
        private int loads;

        synchronized void pin() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (loader != null && loader != me) wait();
            pins.add(me);
        }

        synchronized void unpin() {
            if (!pins.remove(Thread.currentThread())) broken = "unpinned by a stranger";
            if (pins.isEmpty()) notifyAll();
        }

        private boolean loadable(Thread me) {
            return loader == me || loader == null && pins.isEmpty();
        }

        synchronized void beginLoad() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (!loadable(me)) wait();
            loader = me;
            loads++;
        }

        synchronized void endLoad() {
            if (--loads > 0) return;
            loader = null;
            notifyAll();
        }
    }

    static final class Logo {
        private int[] pixels;

        synchronized void decoded(int[] p) {
            pixels = p;
            notifyAll();
        }

        synchronized int[] pixels() throws InterruptedException {
            while (pixels == null) wait();
            return pixels;
        }
    }

    static final Guide guide = new Guide();
    static final int[] day = new int[6];
    static final AtomicReference<Logo> current = new AtomicReference<>(new Logo());

    static int query(int depth) throws InterruptedException {
        guide.pin();
        try {
            int v = day[depth];
            Thread.sleep(1);
            if (depth > 0 && query(depth - 1) != v) broken = "days differ";
            return v;
        } finally {
            guide.unpin();
        }
    }

    static void application() throws InterruptedException {
        while (!stop) {
            query(ThreadLocalRandom.current().nextInt(4));
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(8, 18));
        }
    }

    static void storeDay(int i, int v) throws InterruptedException {
        guide.beginLoad();
        try {
            day[i] = v;
            if (i == 2) Thread.sleep(2);
        } finally {
            guide.endLoad();
        }
    }

    static void loader() throws InterruptedException {
        while (!stop) {
            guide.beginLoad();
            try {
                int v = ThreadLocalRandom.current().nextInt();
                for (int i = 0; i < day.length; i++) storeDay(i, v);
            } finally {
                guide.endLoad();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
        }
    }

    static void decoder() throws InterruptedException {
        while (!stop) {
            Logo l = current.get();
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 12));
            int[] p = new int[16];
            java.util.Arrays.fill(p, p.length);
            l.decoded(p);
            current.set(new Logo());
        }
    }

    static void painter() throws InterruptedException {
        while (!stop) {
            int[] p = current.get().pixels();
            if (p[0] != 16) broken = "logo not decoded";
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    interface Body { void run() throws InterruptedException; }

    static void go(Body... bodies) {
        for (Body b : bodies) {
            Thread t = new Thread(() -> {
                try { b.run(); } catch (InterruptedException e) { broken = "interrupted"; }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        go(EpgStore::application, EpgStore::application, EpgStore::application, EpgStore::application);
        go(EpgStore::loader, EpgStore::loader, EpgStore::decoder);
        go(EpgStore::painter, EpgStore::painter, EpgStore::painter);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
