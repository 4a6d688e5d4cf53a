// @lock ColdStore$Turnstile
// @type LOCK reentrant=false
// @role lock ColdStore$Turnstile.drawAndWait
// @role unlock ColdStore$Turnstile.next
// @lock ColdStore$Thermometer
// @type CONDITION
// @role wait ColdStore$Thermometer.awaitAbove
// @role wait ColdStore$Thermometer.awaitAtMost
// @role notify ColdStore$Thermometer.change

import java.util.Random;

/** Lorries warm the cold store through the door, the compressor cools it when it must. The one door is used by number. */
public class ColdStore {
    /** Draw a number, wait until it is shown. */
    static class Turnstile {
        private long lastDrawn;
        private long shown = 1;

        synchronized long drawAndWait() {
            long mine = ++lastDrawn;
            boolean interrupted = false;
            while (shown != mine) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return mine;
        }

        synchronized void next(long mine) {
            if (mine != shown) {
                throw new IllegalStateException("number " + mine + " leaves, " + shown + " is shown");
            }
            shown++;
            notifyAll();
        }
    }

    static class Thermometer {
        private int degrees = 2;

        synchronized int change(int by) {
            degrees += by;
            notifyAll();
            return degrees;
        }

        synchronized int awaitAbove(int limit) throws InterruptedException {
            while (degrees <= limit) {
                wait();
            }
            return degrees;
        }

        synchronized int awaitAtMost(int limit) throws InterruptedException {
            while (degrees > limit) {
                wait();
            }
            return degrees;
        }
    }

    private final Turnstile door = new Turnstile();
    private final Thermometer thermometer = new Thermometer();
    private Thread inDoor;
    private long passages;
    private volatile boolean closed;
    private volatile String trouble;

    private void pass(Random random) throws InterruptedException {
        long number = door.drawAndWait();
        if (inDoor != null) {
            trouble = "two lorries in the door";
        }
        inDoor = Thread.currentThread();
        try {
            Thread.sleep(1 + random.nextInt(4));
            thermometer.change(1);
            passages++;
        } finally {
            if (inDoor != Thread.currentThread()) {
                trouble = "pushed out of the door";
            }
            inDoor = null;
            door.next(number);
        }
    }

    private final class Lorry implements Runnable {
        public void run() {
            Random random = new Random();
            try {
                while (!closed) {
                    pass(random);
                    Thread.sleep(2 + random.nextInt(8));
                }
            } catch (InterruptedException e) {
                trouble = "a lorry was interrupted";
            }
        }
    }

    private final class Compressor implements Runnable {
        public void run() {
            try {
                for (;;) {
                    if (thermometer.awaitAbove(8) <= 8) {
                        trouble = "cooling a cold store";
                    }
                    while (thermometer.change(-2) > 2) {
                        Thread.sleep(1);
                    }
                }
            } catch (InterruptedException e) {
                // switched off
            }
        }
    }

    /** Stops when it is warm, goes on when it is cold enough. */
    private final class Packer implements Runnable {
        public void run() {
            try {
                for (;;) {
                    thermometer.awaitAtMost(4);
                    Thread.sleep(5);
                    thermometer.awaitAbove(5);
                }
            } catch (InterruptedException e) {
                // end of shift
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ColdStore store = new ColdStore();
        Thread[] lorries = new Thread[5];
        Thread[] house = {new Thread(store.new Compressor(), "compressor"), new Thread(store.new Packer(), "packer")};
        for (Thread t : house) {
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < lorries.length; i++) {
            lorries[i] = new Thread(store.new Lorry(), "lorry-" + i);
            lorries[i].setDaemon(true);
            lorries[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        store.closed = true;
        for (Thread t : lorries) {
            t.join(10000);
        }
        for (Thread t : house) {
            t.interrupt();
            t.join(10000);
        }
        if (store.trouble != null) {
            System.out.println(store.trouble);
            System.exit(1);
        }
        System.out.println("DONE " + store.passages);
    }
}
