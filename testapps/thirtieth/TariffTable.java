// @lock TariffTable$AccessControl
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock TariffTable$AccessControl.share
// @role read-unlock TariffTable$AccessControl.unshare
// @role write-lock TariffTable$AccessControl.own
// @role write-unlock TariffTable$AccessControl.disown

// @lock TariffTable$Reloader
// @type DELAY
// @role delay TariffTable$Reloader.pause

import java.util.Hashtable;
import java.util.Random;

/** Freight tariffs: raters read the table, reloaders replace it from a file every few milliseconds and pause in between by a timed wait on themselves. */
public class TariffTable {
    static abstract class Base {
        protected int state; // -1: owned, else the number of sharers

        protected abstract boolean mayShare();

        protected abstract boolean mayOwn();
    }

    static class AccessControl extends Base {
        protected boolean mayShare() {
            return state >= 0;
        }

        protected boolean mayOwn() {
            return state == 0;
        }

        synchronized void share() throws InterruptedException {
            while (!mayShare())
                wait();
            ++state;
        }

        synchronized void unshare() {
            if (--state == 0)
                notifyAll();
        }

        synchronized void own() throws InterruptedException {
            while (!mayOwn())
                wait();
            state = -1;
        }

        synchronized void disown() {
            state = 0;
            notifyAll();
        }
    }

    private final AccessControl access = new AccessControl();
    private final Hashtable<Integer, Integer> perZone = new Hashtable<Integer, Integer>();
    private int release;

    int rate(int zone, Random random) throws InterruptedException {
        access.share();
        try {
            int r1 = release;
            Thread.sleep(random.nextInt(2));
            Integer price = perZone.get(zone);
            if (price == null || price != r1 + zone)
                throw new IllegalStateException("zone " + zone + " has a price of another release");
            return price;
        } finally {
            access.unshare();
        }
    }

    void load(boolean slow) throws InterruptedException {
        access.own();
        try {
            release++;
            for (int z = 0; z < 5; z++) {
                perZone.put(z, release + z);
                if (slow && z == 2)
                    Thread.sleep(2);
            }
        } finally {
            access.disown();
        }
    }

    static class Reloader extends Thread {
        private final TariffTable table;
        private final int interval;

        Reloader(TariffTable table, int interval) {
            this.table = table;
            this.interval = interval;
            setDaemon(true);
        }

        private synchronized void pause() throws InterruptedException {
            wait(interval);
        }

        public void run() {
            try {
                while (true) {
                    pause();
                    table.load(true);
                }
            } catch (InterruptedException e) {
                // asked to end
            }
        }
    }

    static volatile RuntimeException failure;
    static volatile long rated;

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final TariffTable table = new TariffTable();
        table.load(false);
        new Reloader(table, 12).start();
        new Reloader(table, 17).start();
        for (int i = 0; i < 4; i++) {
            final int id = i;
            Thread t = new Thread() {
                public void run() {
                    Random random = new Random();
                    try {
                        while (failure == null) {
                            table.rate(random.nextInt(5), random);
                            if (id == 0)
                                rated++;
                            sleep(2 + random.nextInt(6));
                        }
                    } catch (InterruptedException e) {
                        interrupt();
                    } catch (RuntimeException e) {
                        failure = e;
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        if (failure != null)
            throw failure;
        System.out.println("DONE " + rated);
    }
}
