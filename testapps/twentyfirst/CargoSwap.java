// @lock CargoSwap$SwapPoint
// @type BARRIER parties=2 form=exchanger
// @role arrive CargoSwap$SwapPoint.swap
//
// @lock CargoSwap$Manifest
// @type MUTEX
// @role enter CargoSwap$Ledger.credit
// @role enter CargoSwap$PricedLedger.total

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Two lorries meet half-way and exchange their trailers, for ever; three such routes.
 * All book what they carried in a ledger that is locked by a token which does nothing else.
 */
public class CargoSwap {

    static class Trailer {
        final int id;
        String driver = "";

        Trailer(int id) {
            this.id = id;
        }
    }

    static class SwapPoint {
        private static class Meeting {
            final Trailer parked;
            Trailer returned;

            Meeting(Trailer parked) {
                this.parked = parked;
            }
        }

        private Meeting open;

        synchronized Trailer swap(Trailer mine) throws InterruptedException {
            Meeting m = open;
            if (m != null) {
                open = null;
                m.returned = mine;
                notifyAll();
                return m.parked;
            }
            m = new Meeting(mine);
            open = m;
            while (m.returned == null) {
                wait();
            }
            return m.returned;
        }
    }

    static final class Manifest {
    }

    static class Ledger {
        protected final Manifest manifest = new Manifest();
        protected final List<Integer> loads = new ArrayList<>();
        protected long sum;

        void credit(int load) throws InterruptedException {
            synchronized (manifest) {
                loads.add(load);
                Thread.sleep(1);
                sum += load;
            }
        }
    }

    static class PricedLedger extends Ledger {
        long total() throws InterruptedException {
            synchronized (manifest) {
                long s = 0;
                for (int l : loads) {
                    s += l;
                }
                if (s != sum) {
                    fail("loads " + s + ", booked " + sum);
                }
                Thread.sleep(1);
                loads.clear();
                sum = 0;
                return s;
            }
        }
    }

    static final PricedLedger LEDGER = new PricedLedger();
    static final AtomicLong swaps = new AtomicLong();
    static volatile String failure;

    static void fail(String text) {
        failure = text;
    }

    static class Lorry extends Thread {
        private final SwapPoint point;
        private final int tour;
        private Trailer trailer;

        Lorry(String name, SwapPoint point, int tour, int trailerId) {
            super(name);
            this.point = point;
            this.tour = tour;
            this.trailer = new Trailer(trailerId);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (failure == null) {
                    trailer.driver = getName();
                    Thread.sleep(tour);
                    if (!trailer.driver.equals(getName())) {
                        fail("trailer " + trailer.id + " taken by " + trailer.driver);
                    }
                    int before = trailer.id;
                    LEDGER.credit(before);
                    trailer = point.swap(trailer);
                    if (trailer == null || trailer.id == before || trailer.id / 2 != before / 2) {
                        fail(getName() + " got the wrong trailer");
                    }
                    swaps.incrementAndGet();
                }
            } catch (InterruptedException e) {
                fail(getName() + " interrupted");
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int route = 0; route < 3; route++) {
            SwapPoint point = new SwapPoint();
            new Lorry("east-" + route, point, 3 + route, 2 * route).start();
            new Lorry("west-" + route, point, 7 - route, 2 * route + 1).start();
        }
        Thread office = new Thread("office") {
            @Override
            public void run() {
                try {
                    while (true) {
                        LEDGER.total();
                        Thread.sleep(9);
                    }
                } catch (InterruptedException e) {
                    fail("office interrupted");
                }
            }
        };
        office.setDaemon(true);
        office.start();
        System.out.println("READY");
        for (int i = 0; i < 10 * seconds && failure == null; i++) {
            Thread.sleep(100);
        }
        System.out.println(failure == null ? "DONE " + swaps.get() : "FAILURE " + failure);
        System.exit(failure == null ? 0 : 1);
    }
}
