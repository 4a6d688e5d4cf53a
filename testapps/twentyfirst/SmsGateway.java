// @lock SmsGateway$MessageQueue
// @type SEMAPHORE form=rate-limiter
// @role acquire SmsGateway$MessageQueue.take
// @role release SmsGateway$MessageQueue.put
//
// @lock SmsGateway$DeliveryBarrier
// @type DELAY
// @role delay SmsGateway$DeliveryBarrier.arrive

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A gateway for text messages. Nothing in its MessageQueue is a message any more: what is put there by the clock are the
 * credits of the operator, and senders take one each. Messages that the operator refuses are sent again after a while.
 */
public class SmsGateway {

    static final class MessageQueue {
        private static final int LIMIT = 6;
        private int size = LIMIT;

        synchronized void take() throws InterruptedException {
            while (size < 1) {
                wait();
            }
            size--;
        }

        synchronized void put(int n) {
            size = Math.min(LIMIT, size + n);
            notifyAll();
        }
    }

    /** The pause before a message is sent again; twice as long each time. */
    static final class DeliveryBarrier {
        private int millis = 2;

        synchronized void arrive() throws InterruptedException {
            long until = System.nanoTime() + millis * 1_000_000L;
            long left = until - System.nanoTime();
            while (left > 0) {
                wait(left / 1_000_000L, (int) (left % 1_000_000L));
                left = until - System.nanoTime();
            }
            millis = Math.min(16, millis * 2);
        }
    }

    static final MessageQueue QUEUE = new MessageQueue();
    static final AtomicLong credits = new AtomicLong(MessageQueue.LIMIT);
    static final AtomicLong attempts = new AtomicLong();
    static final AtomicLong delivered = new AtomicLong();
    static volatile String error;

    static class Sender extends Thread {
        private final Random random;

        Sender(int n) {
            super("sender-" + n);
            random = new Random(n);
        }

        @Override
        public void run() {
            try {
                while (error == null) {
                    send();
                    Thread.sleep(1 + random.nextInt(5));
                }
            } catch (InterruptedException e) {
                error = getName() + " interrupted";
            }
        }

        private void send() throws InterruptedException {
            DeliveryBarrier barrier = new DeliveryBarrier();
            while (!attempt()) {
                barrier.arrive();
            }
            delivered.incrementAndGet();
        }

        private boolean attempt() throws InterruptedException {
            QUEUE.take();
            if (attempts.incrementAndGet() > credits.get()) {
                error = "more messages than credits";
            }
            return random.nextInt(3) > 0;
        }
    }

    static class Clock extends Thread {
        @Override
        public void run() {
            try {
                while (error == null) {
                    Thread.sleep(10);
                    credits.addAndGet(3);
                    QUEUE.put(3);
                }
            } catch (InterruptedException e) {
                error = "clock interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Thread clock = new Clock();
        clock.setDaemon(true);
        clock.start();
        for (int i = 0; i < 6; i++) {
            Thread t = new Sender(i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int s = 0; s < seconds && error == null; s++) {
            Thread.sleep(1000);
        }
        System.out.println(error == null ? "DONE " + delivered : "ERROR " + error);
        System.exit(error == null ? 0 : 1);
    }
}
