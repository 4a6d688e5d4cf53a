// @lock Entrance$CarPark
// @type SEMAPHORE permits=3
// @role acquire Entrance$Admission.enter
// @role release Entrance$Admission.leave

// @lock Entrance$WashStreet
// @type LOCK reentrant=false
// @role lock Entrance$Admission.enter
// @role unlock Entrance$Admission.leave

// @lock Entrance$Bridge
// @type CONDITION
// @role wait Entrance$Bridge.passUnder
// @role notify Entrance$Bridge.lower
// @role notify Entrance$Bridge.raise

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Admission as a template: a base class waits, subclasses say whether there is room and keep the books. And a bridge of four phases. */
public class Entrance {

    abstract static class Admission {
        protected abstract boolean hasRoom();

        protected abstract void admit(String plate);

        protected abstract void dismiss(String plate);

        public final void enter(String plate) throws InterruptedException {
            synchronized (this) {
                while (!hasRoom()) {
                    this.wait();
                }
                admit(plate);
            }
        }

        public final void leave(String plate) {
            synchronized (this) {
                dismiss(plate);
                this.notifyAll();
            }
        }
    }

    static final class CarPark extends Admission {
        private final Set<String> inside = new HashSet<>();
        private final int places = 3;

        @Override
        protected boolean hasRoom() {
            return inside.size() < places;
        }

        @Override
        protected void admit(String plate) {
            inside.add(plate);
        }

        @Override
        protected void dismiss(String plate) {
            inside.remove(plate);
        }
    }

    static final class WashStreet extends Admission {
        private String car;

        @Override
        protected boolean hasRoom() {
            return car == null;
        }

        @Override
        protected void admit(String plate) {
            car = plate;
        }

        @Override
        protected void dismiss(String plate) {
            if (!plate.equals(car)) {
                throw new IllegalStateException(plate + " is not in the wash");
            }
            car = null;
        }
    }

    enum Phase { DOWN, RISING, UP, FALLING }

    static final class Bridge {
        private Phase phase = Phase.DOWN;

        synchronized void raise(Phase to) {
            phase = to;
            notifyAll();
        }

        synchronized void lower(Phase to) {
            phase = to;
            notifyAll();
        }

        void passUnder() throws InterruptedException {
            synchronized (this) {
                while (phase != Phase.UP) {
                    wait();
                }
            }
        }

        synchronized Phase phase() {
            return phase;
        }
    }

    static volatile String trouble;
    static final AtomicInteger trips = new AtomicInteger();

    static class Car implements Runnable {
        private final String plate;
        private final Admission park;
        private final Admission wash;
        private final AtomicInteger parked;
        private final AtomicInteger washing;

        Car(String plate, Admission park, Admission wash, AtomicInteger parked, AtomicInteger washing) {
            this.plate = plate;
            this.park = park;
            this.wash = wash;
            this.parked = parked;
            this.washing = washing;
        }

        @Override
        public void run() {
            try {
                while (trouble == null) {
                    park.enter(plate);
                    if (parked.incrementAndGet() > 3) {
                        trouble = "the car park is overfull";
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
                    parked.decrementAndGet();
                    park.leave(plate);
                    wash.enter(plate);
                    if (washing.incrementAndGet() != 1) {
                        trouble = "two in the wash";
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                    washing.decrementAndGet();
                    wash.leave(plate);
                    trips.incrementAndGet();
                }
            } catch (InterruptedException e) {
                trouble = e.toString();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Admission park = new CarPark();
        Admission wash = new WashStreet();
        AtomicInteger parked = new AtomicInteger();
        AtomicInteger washing = new AtomicInteger();
        Bridge bridge = new Bridge();
        for (int i = 0; i < 7; i++) {
            Thread t = new Thread(new Car("B-" + i, park, wash, parked, washing), "car-" + i);
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        bridge.passUnder();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
                    }
                } catch (InterruptedException e) {
                    trouble = e.toString();
                }
            }, "barge-" + i);
            t.setDaemon(true);
            t.start();
        }
        Thread keeper = new Thread(() -> {
            try {
                while (true) {
                    Thread.sleep(6);
                    bridge.raise(Phase.RISING);
                    Thread.sleep(3);
                    bridge.raise(Phase.UP);
                    Thread.sleep(5);
                    bridge.lower(Phase.FALLING);
                    Thread.sleep(3);
                    bridge.lower(Phase.DOWN);
                    if (bridge.phase() != Phase.DOWN) {
                        trouble = "somebody else moved the bridge";
                    }
                }
            } catch (InterruptedException e) {
                trouble = e.toString();
            }
        }, "keeper");
        keeper.setDaemon(true);
        keeper.start();
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (trouble != null) {
            System.out.println(trouble);
            System.exit(1);
        }
        System.out.println("DONE " + trips);
    }
}
