// @lock ActorSystem$Mailbox
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put ActorSystem$Mailbox.enqueue
// @role take ActorSystem$Mailbox.dequeue

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Actors, a thread and a mailbox each, that pass tokens round; system messages overtake the others in the mailbox. */
public final class ActorSystem {
    static final class Envelope<M> {
        final M message;
        Envelope<M> next;

        Envelope(M message) {
            this.message = message;
        }
    }

    static final class Mailbox<M> {
        private Envelope<M> head;
        private Envelope<M> tail;

        synchronized void enqueue(M message, boolean urgent) {
            Envelope<M> e = new Envelope<>(message);
            if (head == null) {
                head = e;
                tail = e;
                notify();
            } else if (urgent) {
                e.next = head;
                head = e;
            } else {
                tail.next = e;
                tail = e;
            }
        }

        synchronized M dequeue() throws InterruptedException {
            while (head == null) {
                wait();
            }
            M m = head.message;
            head = head.next;
            return m;
        }
    }

    abstract static class Actor<M> {
        private final Mailbox<M> mailbox = new Mailbox<>();

        final void tell(M message) {
            mailbox.enqueue(message, false);
        }

        final void tellFirst(M message) {
            mailbox.enqueue(message, true);
        }

        protected abstract void receive(M message) throws InterruptedException;

        final void start(String name) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        receive(mailbox.dequeue());
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, name);
            t.setDaemon(true);
            t.start();
        }
    }

    static final class Token {
        final int number;
        int hops;

        Token(int number) {
            this.number = number;
        }
    }

    static final class RingMember extends Actor<Token> {
        private RingMember next;
        private boolean busy;

        @Override
        protected void receive(Token t) throws InterruptedException {
            if (busy) {
                failed = true;
            }
            busy = true;
            t.hops++;
            hops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            busy = false;
            if (t.number == 0) {
                next.tellFirst(t);
            } else {
                next.tell(t);
            }
        }
    }

    private static final AtomicLong hops = new AtomicLong();
    private static volatile boolean failed;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RingMember[] ring = new RingMember[6];
        for (int i = ring.length - 1; i >= 0; i--) {
            ring[i] = new RingMember();
            ring[i].next = i + 1 < ring.length ? ring[i + 1] : null;
        }
        ring[ring.length - 1].next = ring[0];
        for (int i = 0; i < ring.length; i++) {
            ring[i].start("actor-" + i);
        }
        Token[] tokens = new Token[4];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = new Token(i);
            ring[i].tell(tokens[i]);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long before = hops.get();
        Thread.sleep(500);
        if (failed || hops.get() == before) {
            throw new IllegalStateException("an actor ran twice at once, or all tokens are lost");
        }
        System.out.println("DONE " + hops);
    }
}
