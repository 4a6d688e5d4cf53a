// @lock java.lang.Object#backOff
// @type DELAY
// @role delay Redelivery$Listener.backOff
//
// @lock Redelivery$Channel
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Redelivery$Channel.send
// @role take Redelivery$Channel.receive

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A small message broker: a message whose listener fails goes back to the channel, and that listener backs off for a while
 * on a private object that nobody else knows.
 */
public final class Redelivery {
    static final class Message {
        final long id;
        int attempts;

        Message(long id) {
            this.id = id;
        }
    }

    static final class Channel {
        private final LinkedList<Message> pending = new LinkedList<>();

        synchronized void send(Message message) {
            pending.addLast(message);
            notify();
        }

        synchronized Message receive() throws InterruptedException {
            while (pending.isEmpty()) {
                wait();
            }
            return pending.removeFirst();
        }
    }

    static final class Listener extends Thread {
        private final Channel channel;
        private final AtomicLong handledSum;
        private final AtomicLong handled;
        private final Object pauseLock = new Object();
        private long delay = 2;

        Listener(Channel channel, AtomicLong handledSum, AtomicLong handled) {
            this.channel = channel;
            this.handledSum = handledSum;
            this.handled = handled;
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Message message = channel.receive();
                    message.attempts++;
                    if (message.attempts < 4 && ThreadLocalRandom.current().nextInt(4) == 0) {
                        channel.send(message);
                        backOff();
                        delay = Math.min(delay * 2, 8);
                    } else {
                        handledSum.addAndGet(message.id);
                        handled.incrementAndGet();
                        delay = 2;
                    }
                }
            } catch (InterruptedException e) {
                // the broker goes down
            }
        }

        private void backOff() throws InterruptedException {
            long until = System.nanoTime() + delay * 1_000_000;
            synchronized (pauseLock) {
                long left = delay;
                while (left > 0) {
                    pauseLock.wait(left);
                    left = (until - System.nanoTime() + 999_999) / 1_000_000;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        Channel channel = new Channel();
        AtomicLong sum = new AtomicLong();
        AtomicLong handled = new AtomicLong();
        Listener[] listeners = new Listener[3];
        for (int i = 0; i < listeners.length; i++) {
            listeners[i] = new Listener(channel, sum, handled);
            listeners[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        long sent = 0;
        long expected = 0;
        while (System.nanoTime() - end < 0) {
            channel.send(new Message(++sent));
            expected += sent;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
        for (int i = 0; i < 2000 && handled.get() < sent; i++) {
            Thread.sleep(5);
        }
        for (Listener listener : listeners) {
            listener.interrupt();
        }
        if (handled.get() != sent || sum.get() != expected) {
            throw new IllegalStateException(sent + " sent, " + handled + " handled");
        }
        System.out.println("DONE " + handled);
    }
}
