// The world of a game: scouts look (and look again from within a look), builders change it; sectors are painted under locks of their own.
// @lock TileWorld$WorldLock
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock TileWorld$WorldLock.look
// @role read-unlock TileWorld$WorldLock.lookAway
// @role write-lock TileWorld$WorldLock.build
// @role write-unlock TileWorld$WorldLock.built
//
// @lock java.lang.Object#paint
// @type MUTEX
// @role enter TileWorld$Canvas.paint
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class TileWorld {
    static final AtomicLong ops = new AtomicLong();

    static final class WorldLock {
        private final Map<Thread, Integer> lookers = new HashMap<>();
        private Thread builder;
        private int storeys;

        synchronized void look() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (builder != null && builder != me) wait();
            Integer n = lookers.get(me);
            lookers.put(me, n == null ? 1 : n + 1);
        }

        synchronized void lookAway() {
            Thread me = Thread.currentThread();
            Integer n = lookers.remove(me);
            if (n == null) throw new IllegalMonitorStateException();
            if (n > 1) lookers.put(me, n - 1);
            else if (lookers.isEmpty()) notifyAll();
        }

        private boolean mayBuild(Thread me) {
            return builder == me || builder == null && lookers.isEmpty();
        }

        synchronized void build() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (!mayBuild(me)) wait();
            builder = me;
            storeys++;
        }

        synchronized void built() {
            if (Thread.currentThread() != builder) throw new IllegalMonitorStateException();
            if (--storeys > 0) return;
            builder = null;
            notifyAll();
        }
    }

    static final class World {
        final WorldLock lock = new WorldLock();
        final int[] height = new int[16];

        int sum() throws InterruptedException {
            lock.look();
            try {
                int s = 0;
                for (int i = 0; i < height.length; i++) s += at(i);
                Thread.sleep(1);
                return s;
            } finally { lock.lookAway(); }
        }

        int at(int i) throws InterruptedException {
            lock.look();
            try { return height[i]; } finally { lock.lookAway(); }
        }

        void change(int i, int by) throws InterruptedException {
            lock.build();
            try { height[i] += by; } finally { lock.built(); }
        }

        void dig(int from, int to) throws InterruptedException {
            lock.build();
            try {
                change(from, -1);
                Thread.sleep(2);
                change(to, 1);
            } finally { lock.built(); }
        }
    }

    static final class Canvas {
        final Object[] sector = {new Object(), new Object()};
        final int[] begun = new int[2], done = new int[2];

        void paint(int s) throws InterruptedException {
            synchronized (sector[s]) {
                if (begun[s] != done[s]) fail("sector half painted");
                begun[s]++;
                Thread.sleep(2);
                done[s]++;
            }
        }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    interface Turn { void act() throws InterruptedException; }

    static void loop(String n, int pause, Turn t) {
        Thread th = new Thread(n) {
            @Override public void run() {
                try {
                    for (;;) { t.act(); ops.incrementAndGet(); Thread.sleep(pause); }
                } catch (InterruptedException e) { fail("interrupted"); }
            }
        };
        th.setDaemon(true);
        th.start();
    }

    public static void main(String[] args) throws Exception {
        World w = new World();
        Canvas c = new Canvas();
        for (int i = 0; i < 3; i++) loop("scout-" + i, 4 + i, () -> { if (w.sum() != 0) fail("world lost earth"); });
        for (int i = 0; i < 2; i++) loop("builder-" + i, 6 + i, () -> {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            w.dig(r.nextInt(16), r.nextInt(16));
        });
        for (int i = 0; i < 5; i++) loop("painter-" + i, 2, () -> c.paint(ThreadLocalRandom.current().nextInt(2)));
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + ops.get());
    }
}
