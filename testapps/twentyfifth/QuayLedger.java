// A harbour with three berths given out strictly in order of arrival: every ship waits on a pennant of its own.
// The tide gauge is read every few milliseconds.
// @lock QuayLedger$Pennant
// @type SEMAPHORE permits=3
// @role acquire QuayLedger$Quay.dock
// @role release QuayLedger$Quay.castOff
//
// @lock QuayLedger$Gauge
// @type DELAY
// @role delay QuayLedger$Gauge.run
import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class QuayLedger {
    static final AtomicLong calls = new AtomicLong();
    static final AtomicInteger moored = new AtomicInteger();

    static final class Pennant {
        boolean up;
    }

    static final class Quay {
        private final LinkedList<Pennant> roads = new LinkedList<>();
        private int berths;

        Quay(int berths) { this.berths = berths; }

        void dock() throws InterruptedException {
            Pennant mine;
            synchronized (roads) {
                if (berths > 0) {
                    berths--;
                    return;
                }
                mine = new Pennant();
                roads.add(mine);
            }
            synchronized (mine) {
                while (!mine.up) mine.wait();
            }
        }

        void castOff() {
            Pennant next;
            synchronized (roads) {
                next = roads.poll();
                if (next == null) berths++;
            }
            if (next != null) {
                synchronized (next) {
                    next.up = true;
                    next.notify();
                }
            }
        }
    }

    static final class Gauge implements Runnable {
        private final int every;
        private int level;
        private volatile long readings;

        Gauge(int every) { this.every = every; }

        private void read() {
            int old = level;
            level = (int) (50 + 40 * Math.sin(System.nanoTime() / 1e9));
            if (readings > 0 && Math.abs(level - old) > 80) fail("the sea jumped");
            readings++;
        }

        @Override public synchronized void run() {
            for (;;) {
                read();
                try {
                    wait(every);
                } catch (InterruptedException e) {
                    fail("gauge interrupted");
                    return;
                }
            }
        }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    static void ship(Quay q) {
        try {
            for (;;) {
                q.dock();
                try {
                    if (moored.incrementAndGet() > 3) fail("more ships than berths");
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    moored.decrementAndGet();
                    calls.incrementAndGet();
                } finally { q.castOff(); }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException e) { fail("ship interrupted"); }
    }

    public static void main(String[] args) throws Exception {
        Quay q = new Quay(3);
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> ship(q), "ship-" + i);
            t.setDaemon(true);
            t.start();
        }
        Gauge[] gs = {new Gauge(7), new Gauge(11)};
        for (Gauge g : gs) {
            Thread t = new Thread(g, "gauge-" + g.every);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        for (Gauge g : gs) if (g.readings == 0) fail("gauge dead");
        System.out.println("DONE " + calls.get());
    }
}
