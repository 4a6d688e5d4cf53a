// @lock GameLoop$TickBarrier
// @type BARRIER parties=4
// @role arrive GameLoop$TickBarrier.sync

// @lock GameLoop$World
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock GameLoop$World.beginView
// @role read-unlock GameLoop$World.endView
// @role write-lock GameLoop$World.beginEdit
// @role write-unlock GameLoop$World.endEdit

// @lock GameLoop$LoginThrottle
// @type SEMAPHORE form=rate-limiter
// @role acquire GameLoop$LoginThrottle.admit
// @role release GameLoop$LoginThrottle.refill

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A game server: regions tick in step with an action at the end of each tick, a shared world, throttled logins. */
public class GameLoop {
    static class TickBarrier {
        private final int parties;
        private final Runnable action;
        private int missing;
        private int generation;

        TickBarrier(int parties, Runnable action) {
            this.parties = parties;
            this.missing = parties;
            this.action = action;
        }

        int sync() throws InterruptedException {
            synchronized (this) {
                final int mine = generation;
                final int index = --missing;
                if (index == 0) {
                    action.run();
                    missing = parties;
                    generation++;
                    notifyAll();
                    return 0;
                }
                while (mine == generation) {
                    wait();
                }
                return index;
            }
        }
    }

    static class World {
        private int viewers;
        private int editorsWaiting;
        private boolean editing;

        synchronized void beginView() throws InterruptedException {
            while (editing || editorsWaiting > 0) {
                wait();
            }
            viewers++;
        }

        synchronized void endView() {
            viewers--;
            if (viewers == 0) {
                notifyAll();
            }
        }

        synchronized void beginEdit() throws InterruptedException {
            editorsWaiting++;
            try {
                while (editing || viewers > 0) {
                    wait();
                }
            } finally {
                editorsWaiting--;
            }
            editing = true;
        }

        synchronized void endEdit() {
            editing = false;
            notifyAll();
        }
    }

    static class LoginThrottle {
        private int tokens = 3;

        synchronized void admit() throws InterruptedException {
            while (tokens == 0) {
                wait();
            }
            tokens--;
        }

        synchronized void refill(int n) {
            tokens = Math.min(tokens + n, 3);
            notifyAll();
        }
    }

    static volatile String broken;
    static final AtomicInteger inTick = new AtomicInteger();
    static final AtomicInteger views = new AtomicInteger();
    static final AtomicInteger edits = new AtomicInteger();
    static final AtomicLong ticks = new AtomicLong();

    abstract static class Loop extends Thread {
        final Random random = new Random(getName().hashCode());

        Loop(String name) {
            super(name);
            setDaemon(true);
        }

        abstract void step() throws InterruptedException;

        @Override
        public void run() {
            try {
                while (broken == null) {
                    step();
                }
            } catch (InterruptedException e) {
                broken = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final TickBarrier barrier = new TickBarrier(4, new Runnable() {
            @Override
            public void run() {
                if (inTick.getAndSet(0) != 4) {
                    broken = "a tick without all regions";
                }
                ticks.incrementAndGet();
            }
        });
        final World world = new World();
        final LoginThrottle throttle = new LoginThrottle();
        for (int i = 0; i < 4; i++) {
            new Loop("region-" + i) {
                @Override
                void step() throws InterruptedException {
                    sleep(random.nextInt(8));
                    if (random.nextInt(4) == 0) {
                        world.beginEdit();
                        if (edits.incrementAndGet() != 1 || views.get() != 0) {
                            broken = "an edit in company";
                        }
                        sleep(2);
                        edits.decrementAndGet();
                        world.endEdit();
                    } else {
                        view(world, 1 + random.nextInt(3));
                    }
                    inTick.incrementAndGet();
                    barrier.sync();
                }
            }.start();
        }
        for (int i = 0; i < 4; i++) {
            new Loop("client-" + i) {
                @Override
                void step() throws InterruptedException {
                    throttle.admit();
                    view(world, 1 + random.nextInt(4));
                    sleep(random.nextInt(4));
                }
            }.start();
        }
        new Loop("clock") {
            @Override
            void step() throws InterruptedException {
                sleep(10);
                throttle.refill(2);
            }
        }.start();
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + ticks);
    }

    static void view(World world, int ms) throws InterruptedException {
        world.beginView();
        views.incrementAndGet();
        if (edits.get() != 0) {
            broken = "a view of half an edit";
        }
        Thread.sleep(ms);
        views.decrementAndGet();
        world.endView();
    }
}
