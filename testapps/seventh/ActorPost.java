// @lock ActorPost$Mailbox
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put ActorPost$Mailbox.post
// @role take ActorPost$Mailbox.receive

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Actors that tell one another things: a thread and a mailbox each; nobody is ever held back when posting. */
public final class ActorPost {
    static final class Mailbox<M> {
        private final LinkedList<M> letters = new LinkedList<>();

        void post(M letter) {
            synchronized (this) {
                letters.add(letter);
                notify();
            }
        }

        M receive(long idleMillis) throws InterruptedException {
            synchronized (this) {
                long until = System.currentTimeMillis() + idleMillis;
                long left = idleMillis;
                while (letters.isEmpty() && left > 0) {
                    wait(left);
                    left = until - System.currentTimeMillis();
                }
                return letters.poll();
            }
        }
    }

    abstract static class Actor<M> extends Thread {
        private final Mailbox<M> mailbox = new Mailbox<>();

        Actor(String name) {
            super(name);
            setDaemon(true);
        }

        final void tell(M message) {
            mailbox.post(message);
        }

        abstract void on(M message) throws InterruptedException;

        void onIdle() {
        }

        @Override
        public final void run() {
            try {
                while (true) {
                    M m = mailbox.receive(200);
                    if (m == null) {
                        onIdle();
                    } else {
                        on(m);
                    }
                }
            } catch (InterruptedException | RuntimeException e) {
                broken = true;
            }
        }
    }

    static final class Order {
        private final Customer from;
        private final int number;

        Order(Customer from, int number) {
            this.from = from;
            this.number = number;
        }
    }

    static final class Kitchen extends Actor<Order> {
        Kitchen(String name) {
            super(name);
        }

        @Override
        void on(Order order) throws InterruptedException {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            order.from.tell(order.number);
        }
    }

    static final class Customer extends Actor<Integer> {
        private final Kitchen[] kitchens;
        private int ordered;
        private long sum;

        Customer(String name, Kitchen... kitchens) {
            super(name);
            this.kitchens = kitchens;
        }

        @Override
        void on(Integer served) {
            sum += served;
            broken |= served > ordered || served < 0 || sum > (long) ordered * (ordered + 1) / 2;
            ordered++;
            kitchens[ThreadLocalRandom.current().nextInt(kitchens.length)].tell(new Order(this, ordered));
            meals.incrementAndGet();
        }

        @Override
        void onIdle() {
            idle.incrementAndGet();
        }
    }

    private static volatile boolean broken;
    private static final AtomicLong meals = new AtomicLong();
    private static final AtomicLong idle = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Kitchen grill = new Kitchen("grill");
        Kitchen bakery = new Kitchen("bakery");
        grill.start();
        bakery.start();
        for (int i = 0; i < 5; i++) {
            Customer c = new Customer("customer-" + i, grill, bakery);
            c.start();
            c.tell(0);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken || meals.get() == 0) {
            throw new IllegalStateException("an order was lost or served twice");
        }
        System.out.println("DONE " + meals);
    }
}
