// @lock FerryRamp$Ramp
// @type LOCK reentrant=false
// @role lock FerryRamp$Ramp.enter
// @role unlock FerryRamp$Ramp.leave
// @lock FerryRamp$Crossing
// @type JOIN
// @role join FerryRamp$Crossing.awaitMooring

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One car at a time on the ramp. Who has to wait does so on a place of its own in a linked line, and the ramp is
 * handed over to the first in line without ever becoming free. Every crossing is a thread; two mates wait for theirs.
 */
public class FerryRamp {

    private static class Place {
        boolean called;
        Place behind;
    }

    static class Ramp {
        private boolean occupied;
        private Place front;
        private Place rear;

        void enter() throws InterruptedException {
            Place mine;
            synchronized (this) {
                if (!occupied) {
                    occupied = true;
                    return;
                }
                mine = new Place();
                if (rear == null) {
                    front = mine;
                } else {
                    rear.behind = mine;
                }
                rear = mine;
            }
            synchronized (mine) {
                while (!mine.called) {
                    mine.wait();
                }
            }
        }

        void leave() {
            Place next;
            synchronized (this) {
                next = front;
                if (next == null) {
                    occupied = false;
                    return;
                }
                front = next.behind;
                if (front == null) {
                    rear = null;
                }
            }
            synchronized (next) {
                next.called = true;
                next.notify();
            }
        }
    }

    private enum Stage { LOADING, AT_SEA, MOORED }

    static class Crossing extends Thread {
        private Stage stage = Stage.LOADING;
        int logged;

        Crossing(int n) {
            super("crossing-" + n);
            setDaemon(true);
        }

        @Override
        public void run() {
            stage = Stage.AT_SEA;
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(8, 20));
                logged = 1;
            } catch (InterruptedException e) {
                logged = -1;
            } finally {
                end();
            }
        }

        private synchronized void end() {
            stage = Stage.MOORED;
            notifyAll();
        }

        synchronized void awaitMooring() throws InterruptedException {
            while (stage != Stage.MOORED) {
                wait();
            }
        }
    }

    static final AtomicLong trips = new AtomicLong();
    static volatile String accident;
    static int onRamp;

    static void car(Ramp ramp) throws InterruptedException {
        while (accident == null) {
            ramp.enter();
            if (++onRamp != 1) {
                accident = "collision";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
            if (--onRamp != 0) {
                accident = "collision";
            }
            ramp.leave();
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
        }
    }

    static void mate() throws InterruptedException {
        for (int n = 0; accident == null; n++) {
            Crossing c = new Crossing(n);
            c.start();
            c.awaitMooring();
            if (c.logged != 1) {
                accident = "ashore before the crossing was over";
            }
            trips.incrementAndGet();
            Thread.sleep(5);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Ramp ramp = new Ramp();
        for (int i = 0; i < 7; i++) {
            final boolean driver = i < 5;
            Thread t = new Thread() {
                @Override
                public void run() {
                    try {
                        if (driver) {
                            car(ramp);
                        } else {
                            mate();
                        }
                    } catch (InterruptedException e) {
                        accident = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        if (accident != null) {
            System.err.println(accident);
            System.exit(1);
        }
        System.out.println("DONE " + trips);
    }
}
