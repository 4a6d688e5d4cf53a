// A pair of telephone switches: the active side fails over again and again. Traffic waits while the pair is not in
// service; whoever ordered a switch-over, and the alarm desk, wait for that very order to be finished.
//
// @lock SwitchOver$Pair
// @type CONDITION
// @role wait SwitchOver$Pair.awaitState
// @role notify SwitchOver$Pair.moveTo
//
// @lock SwitchOver$Order
// @type LATCH count=1
// @role count-down SwitchOver$Order.finish
// @role await SwitchOver$Order.await

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

public class SwitchOver {
    enum State { IN_SERVICE, DRAINING, SYNCING, STARTING }

    static volatile String broken;
    static final AtomicLong calls = new AtomicLong(), orders = new AtomicLong();

    static class Pair {
        private State state = State.IN_SERVICE;
        private int changes;

        synchronized int awaitState(State wanted) throws InterruptedException {
            while (state != wanted)
                wait();
            return changes;
        }

        synchronized void moveTo(State next) {
            if (next.ordinal() != (state.ordinal() + 1) % State.values().length)
                throw new IllegalStateException(state + " to " + next);
            state = next;
            changes++;
            notifyAll();
        }
    }

    static class Order {
        final int number;
        private boolean finished;

        Order(int number) {
            this.number = number;
        }

        synchronized void finish() {
            finished = true;
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (!finished)
                wait();
        }
    }

    static final Pair pair = new Pair();
    static final SynchronousQueue<Order> toSwitch = new SynchronousQueue<>();
    static final SynchronousQueue<Order> toDesk = new SynchronousQueue<>();
    static final AtomicReference<Order> current = new AtomicReference<>();
    static final AtomicInteger finished = new AtomicInteger();

    static void controller() throws InterruptedException {
        for (;;) {
            Order order = toSwitch.take();
            pair.moveTo(State.DRAINING);
            Thread.sleep(3);
            pair.moveTo(State.SYNCING);
            Thread.sleep(4);
            pair.moveTo(State.STARTING);
            Thread.sleep(2);
            pair.moveTo(State.IN_SERVICE);
            finished.incrementAndGet();
            order.finish();
        }
    }

    static void operator() throws InterruptedException {
        for (int n = 1;; n++) {
            Order order = new Order(n);
            current.set(order);
            toDesk.put(order);
            toSwitch.put(order);
            order.await();
            if (finished.get() < n)
                broken = "order " + n + " is not finished";
            orders.incrementAndGet();
            Thread.sleep(2 + ThreadLocalRandom.current().nextInt(5));
        }
    }

    static void desk() throws InterruptedException {
        for (;;) {
            Order order = toDesk.take();
            order.await();
            if (finished.get() < order.number)
                broken = "the desk was told too early";
        }
    }

    static void traffic() throws InterruptedException {
        for (;;) {
            pair.awaitState(State.IN_SERVICE);
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(3));
            calls.incrementAndGet();
        }
    }

    static void mirror() throws InterruptedException {
        for (int last = 0;;) {
            int now = pair.awaitState(State.SYNCING);
            if (now < last)
                broken = "changes run backwards";
            last = now;
            pair.awaitState(State.IN_SERVICE);
        }
    }

    interface Task {
        void run() throws InterruptedException;
    }

    static void start(String name, final Task task) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    task.run();
                } catch (InterruptedException | RuntimeException e) {
                    broken = getName() + ": " + e;
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        start("controller", SwitchOver::controller);
        start("operator", SwitchOver::operator);
        start("desk", SwitchOver::desk);
        start("mirror", SwitchOver::mirror);
        for (int i = 0; i < 3; i++)
            start("traffic-" + i, SwitchOver::traffic);
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (broken == null && System.nanoTime() < end)
            Thread.sleep(20);
        if (orders.get() == 0 || calls.get() == 0)
            broken = "no progress";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + (orders.get() + calls.get()));
    }
}
