// @lock ActorMailbox$Adder
// @type PRODUCER-CONSUMER+LATCH capacity=unbounded count=1
// @role put ActorMailbox$Actor.tell
// @role take ActorMailbox$Actor.receive
// @role count-down ActorMailbox$Actor.terminated
// @role await ActorMailbox$Actor.awaitTermination

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Short-lived actors on a few dispatcher threads. An actor is its own monitor, for its mailbox as well as for those who
 * wait for its termination; a dispatcher stays with an actor until that has stopped and then goes on to the next one.
 */
public final class ActorMailbox {

    abstract static class Actor {
        private static final Object STOP = new Object();

        private static final class Node {
            final Object message;
            Node next;

            Node(Object message) {
                this.message = message;
            }
        }

        private Node head;
        private Node tail;
        private boolean terminated;

        protected abstract void onMessage(Object message) throws InterruptedException;

        synchronized void tell(Object message) {
            Node node = new Node(message);
            if (tail == null) {
                head = node;
            } else {
                tail.next = node;
            }
            tail = node;
            notifyAll();
        }

        void stop() {
            tell(STOP);
        }

        private synchronized Object receive() throws InterruptedException {
            while (head == null) {
                wait();
            }
            Node node = head;
            head = node.next;
            if (head == null) {
                tail = null;
            }
            return node.message;
        }

        private synchronized void terminated() {
            terminated = true;
            notifyAll();
        }

        synchronized void awaitTermination() throws InterruptedException {
            while (!terminated) {
                wait();
            }
        }

        final void live() throws InterruptedException {
            for (Object message = receive(); message != STOP; message = receive()) {
                onMessage(message);
            }
            terminated();
        }
    }

    private static final class Adder extends Actor {
        int sum;

        @Override
        protected void onMessage(Object message) throws InterruptedException {
            sum += (Integer) message;
            if (sum % 4 == 0) {
                Thread.sleep(1);
            }
        }
    }

    private static final Queue<Actor> runnable = new ConcurrentLinkedQueue<>();
    private static final AtomicLong messages = new AtomicLong();
    private static volatile Throwable failure;

    private static void supervise() throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Adder adder = new Adder();
        runnable.add(adder);
        int expected = 0;
        for (int i = random.nextInt(3, 8); i > 0; i--) {
            int number = random.nextInt(100);
            adder.tell(number);
            expected += number;
            messages.incrementAndGet();
            Thread.sleep(random.nextInt(3));
        }
        adder.stop();
        adder.awaitTermination();
        if (adder.sum != expected) {
            throw new IllegalStateException(adder.sum + " instead of " + expected);
        }
    }

    private static void dispatch() throws InterruptedException {
        Actor actor = runnable.poll();
        if (actor == null) {
            Thread.sleep(1);
        } else {
            actor.live();
        }
    }

    private interface Loop {
        void once() throws InterruptedException;
    }

    private static void start(String name, Loop loop) {
        Thread thread = new Thread(() -> {
            try {
                for (;;) {
                    loop.once();
                }
            } catch (Throwable t) {
                failure = t;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            start("dispatcher-" + i, ActorMailbox::dispatch);
            start("supervisor-" + i, ActorMailbox::supervise);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        System.out.println("DONE " + messages);
    }
}
