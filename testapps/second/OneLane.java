// @lock OneLane$SafeBridge
// @type CONDITION
// @role wait OneLane$SafeBridge.redEnter
// @role wait OneLane$SafeBridge.blueEnter
// @role notify OneLane$SafeBridge.redExit
// @role notify OneLane$SafeBridge.blueExit

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** The single-lane bridge: any number of cars at a time, but of one colour (direction) only. */
public class OneLane {
    static class Bridge {
        void redEnter() throws InterruptedException {
        }

        void redExit() {
        }

        void blueEnter() throws InterruptedException {
        }

        void blueExit() {
        }
    }

    static class SafeBridge extends Bridge {
        private int nred = 0;
        private int nblue = 0;

        @Override
        synchronized void redEnter() throws InterruptedException {
            while (nblue > 0) {
                wait();
            }
            ++nred;
        }

        @Override
        synchronized void redExit() {
            --nred;
            if (nred == 0) {
                notifyAll();
            }
        }

        @Override
        synchronized void blueEnter() throws InterruptedException {
            while (nred > 0) {
                wait();
            }
            ++nblue;
        }

        @Override
        synchronized void blueExit() {
            --nblue;
            if (nblue == 0) {
                notifyAll();
            }
        }
    }

    static class Car implements Runnable {
        private final Bridge bridge;
        private final boolean red;
        private final AtomicInteger mine;
        private final AtomicInteger other;
        static volatile boolean crash;
        static final AtomicInteger crossed = new AtomicInteger();

        Car(Bridge bridge, boolean red, AtomicInteger mine, AtomicInteger other) {
            this.bridge = bridge;
            this.red = red;
            this.mine = mine;
            this.other = other;
        }

        @Override
        public void run() {
            Random rnd = new Random();
            try {
                for (;;) {
                    Thread.sleep(3 + rnd.nextInt(8));
                    if (red) {
                        bridge.redEnter();
                    } else {
                        bridge.blueEnter();
                    }
                    mine.incrementAndGet();
                    Thread.sleep(1 + rnd.nextInt(3));
                    if (other.get() > 0) {
                        crash = true;
                    }
                    mine.decrementAndGet();
                    if (red) {
                        bridge.redExit();
                    } else {
                        bridge.blueExit();
                    }
                    crossed.incrementAndGet();
                }
            } catch (InterruptedException e) {
                crash = true;
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Bridge bridge = new SafeBridge();
        AtomicInteger red = new AtomicInteger();
        AtomicInteger blue = new AtomicInteger();
        for (int i = 0; i < 6; i++) {
            boolean isRed = i % 2 == 0;
            Thread t = new Thread(new Car(bridge, isRed, isRed ? red : blue, isRed ? blue : red));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (Car.crash) {
            System.out.println("head-on crash");
            System.exit(1);
        }
        System.out.println("DONE " + Car.crossed);
    }
}
