// @lock Actors$Mailbox
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Actors$Mailbox.enqueue
// @role take Actors$Mailbox.dequeue

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Actors with a thread and a mailbox each; envelopes are pushed on a stack and turned round when the actor reads. */
public final class Actors {
    private static final class Envelope {
        final Actor sender;
        final Object message;
        Envelope next;

        Envelope(Actor sender, Object message) {
            this.sender = sender;
            this.message = message;
        }
    }

    private static final class Mailbox {
        private Envelope pushed;
        private Envelope ready; // used by the owner alone

        void enqueue(Envelope envelope) {
            synchronized (this) {
                envelope.next = pushed;
                pushed = envelope;
                if (envelope.next == null) {
                    notify();
                }
            }
        }

        Envelope dequeue() throws InterruptedException {
            if (ready == null) {
                Envelope chain;
                synchronized (this) {
                    while (pushed == null) {
                        wait();
                    }
                    chain = pushed;
                    pushed = null;
                }
                while (chain != null) {
                    Envelope rest = chain.next;
                    chain.next = ready;
                    ready = chain;
                    chain = rest;
                }
            }
            Envelope first = ready;
            ready = first.next;
            first.next = null;
            return first;
        }
    }

    abstract static class Actor implements Runnable {
        private final Mailbox mailbox = new Mailbox();

        abstract void receive(Object message, Actor sender) throws InterruptedException;

        final void tell(Object message, Actor sender) {
            mailbox.enqueue(new Envelope(sender, message));
        }

        @Override
        public final void run() {
            try {
                while (!wrong) {
                    Envelope envelope = mailbox.dequeue();
                    receive(envelope.message, envelope.sender);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Squarer extends Actor {
        @Override
        void receive(Object message, Actor sender) throws InterruptedException {
            int n = (Integer) message;
            if (n % 4 == 0) {
                Thread.sleep(1);
            }
            sender.tell((long) n * n, this);
        }
    }

    /** Sends a batch of numbers, waits for all the squares, starts again. Messages of one sender keep their order. */
    static final class Asker extends Actor {
        private final Actor[] helpers;
        private final long[] last;
        private long expected;
        private int open;

        Asker(Actor[] helpers) {
            this.helpers = helpers;
            last = new long[helpers.length];
        }

        @Override
        void receive(Object message, Actor sender) throws InterruptedException {
            if (message instanceof Long) {
                long square = (Long) message;
                for (int i = 0; i < helpers.length; i++) {
                    if (helpers[i] == sender) {
                        check(square > last[i]);
                        last[i] = square;
                    }
                }
                expected -= square;
                if (--open > 0) {
                    return;
                }
                check(expected == 0);
                rounds.incrementAndGet();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            java.util.Arrays.fill(last, -1);
            expected = 0;
            open = ThreadLocalRandom.current().nextInt(1, 12);
            for (int i = 0; i < open; i++) {
                helpers[i % helpers.length].tell(i, this);
                expected += (long) i * i;
            }
        }
    }

    private static void check(boolean good) {
        if (!good) {
            wrong = true;
        }
    }

    private static final AtomicLong rounds = new AtomicLong();
    private static volatile boolean wrong;

    private static void spawn(Actor actor, String name) {
        Thread t = new Thread(actor, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Actor[] helpers = {new Squarer(), new Squarer(), new Squarer()};
        for (Actor helper : helpers) {
            spawn(helper, "squarer");
        }
        for (int i = 0; i < 4; i++) {
            Actor asker = new Asker(helpers);
            spawn(asker, "asker-" + i);
            asker.tell("start", null);
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (wrong) {
            throw new IllegalStateException("a square is missing, wrong, or out of order");
        }
        System.out.println("DONE " + rounds);
    }
}
