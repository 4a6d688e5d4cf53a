// @lock HarbourFerry$CarDeck
// @type BARRIER parties=5
// @role arrive HarbourFerry$CarDeck.driveOn
// @lock HarbourFerry$Engine
// @type DELAY
// @role delay HarbourFerry$Engine.coolDown

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A small ferry leaves when five cars are on deck; its engines cool down between manoeuvres. */
public class HarbourFerry {
    private static final AtomicLong trips = new AtomicLong();
    private static volatile String error;

    static final class Crossing {
        final List<String> cars = new ArrayList<>();
        volatile boolean sailed;
    }

    static final class CarDeck {
        private final int size;
        private Crossing loading = new Crossing();

        CarDeck(int size) {
            this.size = size;
        }

        /** Returns when the ferry with the car on it has left. */
        Crossing driveOn(String plate) throws InterruptedException {
            synchronized (this) {
                Crossing mine = loading;
                mine.cars.add(plate);
                if (mine.cars.size() == size) {
                    mine.sailed = true;
                    loading = new Crossing();
                    notifyAll();
                    return mine;
                }
                while (!mine.sailed) {
                    wait();
                }
                return mine;
            }
        }
    }

    static final class Engine {
        private final Object valve = this;
        private long restedMillis;

        void coolDown(long millis) throws InterruptedException {
            synchronized (valve) {
                long until = System.nanoTime() + millis * 1_000_000L;
                long left = millis;
                while (left > 0) {
                    valve.wait(left);
                    left = (until - System.nanoTime() + 999_999L) / 1_000_000L;
                }
                restedMillis += millis;
            }
        }
    }

    static class Driver implements Runnable {
        final CarDeck deck;
        final String plate;

        Driver(CarDeck d, String p) {
            deck = d;
            plate = p;
        }

        public void run() {
            try {
                for (;;) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 12));
                    Crossing c = deck.driveOn(plate);
                    if (c.cars.size() != 5 || !c.cars.contains(plate)) {
                        error = "sailed with " + c.cars;
                    }
                    trips.incrementAndGet();
                }
            } catch (InterruptedException e) {
                error = "driver interrupted";
            }
        }
    }

    static class Motor implements Runnable {
        final Engine engine;
        final int rest;
        final AtomicInteger turns = new AtomicInteger();

        Motor(Engine e, int rest) {
            engine = e;
            this.rest = rest;
        }

        public void run() {
            try {
                while (error == null) {
                    long t = System.nanoTime();
                    engine.coolDown(rest);
                    if (System.nanoTime() - t < (rest - 1) * 1_000_000L) {
                        error = "engine restarted hot";
                    }
                    turns.incrementAndGet();
                }
            } catch (InterruptedException e) {
                error = "motor interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        CarDeck deck = new CarDeck(5);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(new Thread(new Driver(deck, "HB-" + (100 + i)), "driver" + i));
        }
        all.add(new Thread(new Motor(new Engine(), 8), "port-engine"));
        all.add(new Thread(new Motor(new Engine(), 12), "starboard-engine"));
        for (Thread t : all) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long before = -1;
        for (int i = 0; i < seconds * 2 && error == null; i++) {
            Thread.sleep(500);
            if (trips.get() == before) {
                error = "ferry service stalled";
            }
            before = trips.get();
        }
        if (error != null) {
            System.out.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + trips);
    }
}
