// @lock CrossDock$Side
// @type PRODUCER-CONSUMER capacity=10
// @role put CrossDock$Lane.unload
// @role take CrossDock$Lane.load

// @lock CrossDock$Weighbridge
// @type LOCK reentrant=false
// @role lock CrossDock$Weighbridge.drive
// @role unlock CrossDock$Weighbridge.leave

// @lock CrossDock$Counter
// @type PRODUCER-CONSUMER form=rendezvous
// @role put CrossDock$Counter.hand
// @role take CrossDock$Counter.receive

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cross-docking hall: a lane of ten places with a monitor at each side, a weighbridge handed on in order of arrival (each driver waits on his own slip), and a
 * counter where papers pass from hand to hand.
 */
public class CrossDock {
    static final class Side {
        private int ready;
        private int position;

        Side(int ready) {
            this.ready = ready;
        }
    }

    static final class Lane {
        private final int[] places = new int[10];
        private final Side free = new Side(10);
        private final Side full = new Side(0);

        void unload(int pallet) throws InterruptedException {
            synchronized (free) {
                while (free.ready == 0) {
                    free.wait();
                }
                free.ready--;
                places[free.position++ % 10] = pallet;
                free.position %= 10;
            }
            synchronized (full) {
                full.ready++;
                full.notify();
            }
        }

        int load() throws InterruptedException {
            int pallet;
            synchronized (full) {
                while (full.ready == 0) {
                    full.wait();
                }
                full.ready--;
                pallet = places[full.position];
                full.position = (full.position + 1) % 10;
            }
            synchronized (free) {
                free.ready++;
                free.notify();
            }
            return pallet;
        }
    }

    static final class Slip {
        final Thread driver = Thread.currentThread();
        boolean called;
    }

    static final class Weighbridge {
        private Thread on;
        private final Deque<Slip> slips = new ArrayDeque<>();

        void drive() throws InterruptedException {
            Slip slip;
            synchronized (this) {
                if (on == Thread.currentThread()) {
                    throw new IllegalStateException("already on the bridge");
                }
                if (on == null) {
                    on = Thread.currentThread();
                    return;
                }
                slips.add(slip = new Slip());
            }
            synchronized (slip) {
                while (!slip.called) {
                    slip.wait();
                }
            }
        }

        void leave() {
            Slip next;
            synchronized (this) {
                if (on != Thread.currentThread()) {
                    throw new IllegalStateException("somebody else is on the bridge");
                }
                next = slips.poll();
                on = next == null ? null : next.driver;
            }
            if (next != null) {
                synchronized (next) {
                    next.called = true;
                    next.notify();
                }
            }
        }
    }

    static final class Paper {
        final int number;
        boolean received;

        Paper(int number) {
            this.number = number;
        }
    }

    static final class Counter {
        private Paper offered;

        synchronized void hand(int number) throws InterruptedException {
            while (offered != null) {
                wait();
            }
            Paper mine = offered = new Paper(number);
            notifyAll();
            while (!mine.received) {
                wait();
            }
        }

        synchronized int receive() throws InterruptedException {
            while (offered == null) {
                wait();
            }
            Paper p = offered;
            offered = null;
            p.received = true;
            notifyAll();
            return p.number;
        }
    }

    static final Lane lane = new Lane();
    static final Weighbridge bridge = new Weighbridge();
    static final Counter counter = new Counter();
    static final AtomicInteger onBridge = new AtomicInteger();
    static final AtomicLong unloaded = new AtomicLong();
    static final AtomicLong loaded = new AtomicLong();
    static final AtomicLong papers = new AtomicLong();
    static volatile boolean closing;
    static volatile Throwable failure;

    static void weigh() throws InterruptedException {
        bridge.drive();
        try {
            if (onBridge.incrementAndGet() != 1) {
                throw new IllegalStateException("two lorries on the bridge");
            }
            Thread.sleep(2);
            onBridge.decrementAndGet();
        } finally {
            bridge.leave();
        }
    }

    static void inbound(Random random) throws InterruptedException {
        weigh();
        for (int i = random.nextInt(10); i >= 0; i--) {
            int pallet = 1 + random.nextInt(99);
            unloaded.addAndGet(pallet);
            lane.unload(pallet);
        }
        counter.hand(4711);
        Thread.sleep(random.nextInt(25));
    }

    static void outbound(Random random) throws InterruptedException {
        for (int i = random.nextInt(4); i >= 0; i--) {
            loaded.addAndGet(lane.load());
            Thread.sleep(1);
        }
        weigh();
    }

    static void office() throws InterruptedException {
        if (counter.receive() != 4711) {
            throw new IllegalStateException("wrong papers");
        }
        papers.incrementAndGet();
        Thread.sleep(3);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] in = new Thread[3];
        for (int i = 0; i < 8; i++) {
            int n = i;
            Thread t = new Thread(() -> {
                Random random = new Random(n);
                try {
                    while (failure == null && !(n < 3 && closing)) {
                        if (n < 3) {
                            inbound(random);
                        } else if (n < 6) {
                            outbound(random);
                        } else {
                            office();
                        }
                    }
                } catch (InterruptedException | RuntimeException e) {
                    failure = e;
                    e.printStackTrace();
                }
            }, (n < 3 ? "in-" : n < 6 ? "out-" : "office-") + n);
            t.setDaemon(true);
            t.start();
            if (n < 3) {
                in[n] = t;
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        closing = true;
        for (Thread t : in) {
            t.join();
        }
        for (int i = 0; i < 1000 && loaded.get() != unloaded.get(); i++) {
            Thread.sleep(10);
        }
        if (failure != null || loaded.get() != unloaded.get()) {
            throw new IllegalStateException("pallets lost", failure);
        }
        System.out.println("DONE " + papers);
    }
}
