// @lock OrderDesk
// @type PRODUCER-CONSUMER+MUTEX capacity=6
// @role put OrderDesk.place
// @role take OrderDesk.next
// @role enter OrderDesk.refund
// @role enter OrderDesk.dayBook

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One monitor, two purposes: a queue of six orders between waiters and cooks, and the till that refunds and day-book share. */
public final class OrderDesk {
    private final Queue<Integer> orders = new ArrayDeque<>();
    private long till;
    private long refunds;

    synchronized void place(int price) throws InterruptedException {
        while (orders.size() == 6) {
            wait();
        }
        orders.add(price);
        notifyAll();
    }

    synchronized int next() throws InterruptedException {
        while (orders.isEmpty()) {
            wait();
        }
        int price = orders.remove();
        notifyAll();
        return price;
    }

    synchronized void refund(int price) throws InterruptedException {
        till -= price;
        Thread.sleep(1); // the card terminal
        refunds += price;
    }

    synchronized long dayBook() {
        return till + refunds;
    }

    private static final AtomicLong cooked = new AtomicLong();
    private static volatile boolean failed;

    interface Step {
        void run() throws InterruptedException;
    }

    private static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (!failed) {
                    step.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static int dice(int low, int high) {
        return ThreadLocalRandom.current().nextInt(low, high);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        OrderDesk desk = new OrderDesk();
        for (int i = 0; i < 2; i++) {
            loop("waiter-" + i, () -> {
                for (int n = dice(1, 6); n > 0; n--) {
                    desk.place(dice(5, 30));
                }
                Thread.sleep(dice(3, 14));
            });
            loop("cook-" + i, () -> {
                desk.next();
                cooked.incrementAndGet();
                Thread.sleep(dice(1, 5));
            });
            loop("complaints-" + i, () -> {
                desk.refund(dice(5, 30));
                Thread.sleep(dice(2, 6));
            });
        }
        loop("owner", () -> {
            failed |= desk.dayBook() != 0;
            Thread.sleep(3);
        });
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("the day-book does not add up");
        }
        System.out.println("DONE " + cooked);
    }
}
