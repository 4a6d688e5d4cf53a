// @lock LaneController
// @type CONDITION
// @role wait LaneController.enter
// @role notify LaneController.leave
// @lock TollBooth
// @type SEMAPHORE permits=2
// @role acquire TollBooth.drivePast
// @role release TollBooth.clear

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Road works: a culvert with one lane, used by convoys of one direction at a time; two toll booths lead to it. */
public class OneLaneCulvert {
    enum Way {
        UPHILL, DOWNHILL;

        Way other() {
            return this == UPHILL ? DOWNHILL : UPHILL;
        }
    }

    static final AtomicIntegerArray INSIDE = new AtomicIntegerArray(2);
    static final AtomicIntegerArray BOOTH = new AtomicIntegerArray(1);
    static final AtomicLong CROSSED = new AtomicLong();
    static volatile String broken;

    static class Car extends Thread {
        private final LaneController lane;
        private final TollBooth booth;
        private Way way;

        Car(int n, LaneController l, TollBooth b) {
            super("car-" + n);
            setDaemon(true);
            lane = l;
            booth = b;
            way = n % 2 == 0 ? Way.UPHILL : Way.DOWNHILL;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    booth.drivePast();
                    if (BOOTH.incrementAndGet(0) > 2) {
                        broken = "three cars at two booths";
                    }
                    Thread.sleep(2);
                    BOOTH.decrementAndGet(0);
                    booth.clear();
                    lane.enter(way);
                    INSIDE.incrementAndGet(way.ordinal());
                    if (INSIDE.get(way.other().ordinal()) != 0) {
                        broken = "head-on collision";
                    }
                    Thread.sleep(4);
                    INSIDE.decrementAndGet(way.ordinal());
                    lane.leave();
                    CROSSED.incrementAndGet();
                    way = way.other();
                }
            } catch (InterruptedException e) {
                broken = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        LaneController lane = new LaneController();
        TollBooth booth = new TollBooth();
        for (int i = 0; i < 9; i++) {
            new Car(i, lane, booth).start();
        }
        System.out.println("READY");
        for (long end = System.currentTimeMillis() + seconds * 1000L; System.currentTimeMillis() < end && broken == null;) {
            Thread.sleep(50);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + CROSSED);
    }
}

class LaneController {
    private OneLaneCulvert.Way current = OneLaneCulvert.Way.UPHILL;
    private int onLane;
    private int convoy;
    private final int[] queued = new int[2];

    private boolean mayGo(OneLaneCulvert.Way w) {
        if (onLane == 0) {
            return true;
        }
        return current == w && (convoy < 3 || queued[w.other().ordinal()] == 0);
    }

    synchronized void enter(OneLaneCulvert.Way w) throws InterruptedException {
        queued[w.ordinal()]++;
        try {
            while (!mayGo(w)) {
                wait();
            }
        } finally {
            queued[w.ordinal()]--;
        }
        if (onLane == 0) {
            current = w;
            convoy = 0;
        }
        onLane++;
        convoy++;
    }

    synchronized void leave() {
        onLane--;
        if (onLane == 0) {
            notifyAll();
        }
    }
}

class TollBooth {
    private boolean left;
    private boolean right;

    synchronized void drivePast() throws InterruptedException {
        while (left && right) {
            wait();
        }
        if (left) {
            right = true;
        } else {
            left = true;
        }
    }

    synchronized void clear() {
        if (left) {
            left = false;
        } else {
            right = false;
        }
        notify();
    }
}
