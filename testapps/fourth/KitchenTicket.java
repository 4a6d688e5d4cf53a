// @lock KitchenTicket$Pass
// @type PRODUCER-CONSUMER capacity=5
// @role put KitchenTicket$Pass.order
// @role take KitchenTicket$Pass.nextDish
//
// @lock KitchenTicket$Ticket
// @type LATCH
// @role count-down KitchenTicket$Ticket.ready
// @role await KitchenTicket$Ticket.awaitAll

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A restaurant kitchen: waiters hang dishes on the pass, cooks cook them, and a table is served when its whole ticket is ready. */
public final class KitchenTicket {
    static final class Ticket {
        private int missing;
        private int plates;

        Ticket(int dishes) {
            missing = dishes;
        }

        void ready() {
            synchronized (this) {
                plates++;
                if (--missing == 0) {
                    this.notifyAll();
                }
            }
        }

        int awaitAll() throws InterruptedException {
            synchronized (this) {
                while (missing > 0) {
                    this.wait();
                }
                return plates;
            }
        }
    }

    static final class Dish {
        final Ticket ticket;
        final int minutes;

        Dish(Ticket ticket, int minutes) {
            this.ticket = ticket;
            this.minutes = minutes;
        }
    }

    static final class Pass {
        private static final int HOOKS = 5;
        private final ArrayDeque<Dish> slips = new ArrayDeque<>();

        synchronized void order(Dish dish) throws InterruptedException {
            while (slips.size() >= HOOKS) {
                wait();
            }
            slips.add(dish);
            notifyAll();
        }

        synchronized Dish nextDish() throws InterruptedException {
            while (slips.size() == 0) {
                wait();
            }
            Dish dish = slips.poll();
            notifyAll();
            return dish;
        }
    }

    private static final AtomicLong served = new AtomicLong();
    private static final AtomicLong complaints = new AtomicLong();

    private static void waiter(Pass pass) throws InterruptedException {
        while (true) {
            int dishes = ThreadLocalRandom.current().nextInt(2, 5);
            Ticket ticket = new Ticket(dishes);
            for (int i = 0; i < dishes; i++) {
                pass.order(new Dish(ticket, 1 + i));
            }
            if (ticket.awaitAll() != dishes) {
                complaints.incrementAndGet();
            }
            served.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(0, 28));
        }
    }

    private static void cook(Pass pass) throws InterruptedException {
        while (true) {
            Dish dish = pass.nextDish();
            Thread.sleep(dish.minutes);
            dish.ticket.ready();
        }
    }

    interface Shift {
        void work() throws InterruptedException;
    }

    private static void hire(String name, Shift shift) {
        Thread t = new Thread(() -> {
            try {
                shift.work();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Pass pass = new Pass();
        for (int i = 0; i < 5; i++) {
            hire("waiter-" + i, () -> waiter(pass));
        }
        for (int i = 0; i < 3; i++) {
            hire("cook-" + i, () -> cook(pass));
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (complaints.get() > 0) {
            throw new IllegalStateException(complaints + " tables were served half a meal");
        }
        System.out.println("DONE " + served);
    }
}
