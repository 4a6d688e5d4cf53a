// @lock OldBridge$Bridge
// @type SEMAPHORE permits=40
// @role acquire OldBridge$Bridge.driveOn
// @role release OldBridge$Bridge.driveOff

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A bridge that bears forty tonnes; lorries of three to thirty tonnes, written down by plate while they are on it. */
public final class OldBridge {
    static final class Bridge {
        private static final int LIMIT = 40;
        private final Map<String, Integer> onBridge = new HashMap<>();

        private int load() {
            int sum = 0;
            for (int tonnes : onBridge.values()) {
                sum += tonnes;
            }
            return sum;
        }

        synchronized void driveOn(String plate, int tonnes) throws InterruptedException {
            if (tonnes > LIMIT) {
                throw new IllegalArgumentException(plate + " is too heavy for ever");
            }
            while (load() + tonnes > LIMIT) {
                wait();
            }
            onBridge.put(plate, tonnes);
        }

        synchronized void driveOff(String plate) {
            if (onBridge.remove(plate) == null) {
                throw new IllegalStateException(plate + " never drove on");
            }
            notifyAll();
        }
    }

    private static final AtomicInteger scale = new AtomicInteger();
    private static final AtomicLong crossings = new AtomicLong();
    private static volatile String collapse;

    private static void lorry(Bridge bridge, String plate, int empty) {
        try {
            while (collapse == null) {
                int tonnes = empty + ThreadLocalRandom.current().nextInt(20);
                bridge.driveOn(plate, tonnes);
                try {
                    if (scale.addAndGet(tonnes) > 40) {
                        collapse = "collapsed under " + plate;
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                } finally {
                    scale.addAndGet(-tonnes);
                    bridge.driveOff(plate);
                }
                crossings.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Bridge bridge = new Bridge();
        for (int i = 0; i < 7; i++) {
            String plate = "LRY " + (100 + i);
            int empty = 3 + i;
            Thread t = new Thread(() -> lorry(bridge, plate, empty), plate);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (collapse != null) {
            throw new IllegalStateException(collapse);
        }
        System.out.println("DONE " + crossings);
    }
}
