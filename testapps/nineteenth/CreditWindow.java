// A broker link with a window of eight unacknowledged messages: publishers take a credit before they send, the
// peer's acknowledgements give credits back. The wire is a ring of five slots between the link and the peer.
//
// @lock CreditWindow$Window
// @type SEMAPHORE permits=8
// @role acquire CreditWindow$Window.reserve
// @role release CreditWindow$Window.acknowledge
//
// @lock CreditWindow$Wire
// @type PRODUCER-CONSUMER capacity=5
// @role put CreditWindow$Wire.send
// @role take CreditWindow$Wire.receive

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class CreditWindow {
    static final AtomicLong acked = new AtomicLong();
    static final AtomicInteger outstanding = new AtomicInteger();
    static volatile String broken;

    static class Window {
        private final int limit;
        private int sent;
        private int confirmed;

        Window(int limit) {
            this.limit = limit;
        }

        private boolean full() {
            return sent - confirmed >= limit;
        }

        synchronized void reserve() throws InterruptedException {
            while (full()) {
                wait();
            }
            sent++;
        }

        synchronized void acknowledge() {
            confirmed++;
            notify();
        }
    }

    static class Wire {
        private final long[] slots = new long[5];
        private long head;
        private long tail;

        synchronized void send(long message) throws InterruptedException {
            while (tail - head == slots.length) {
                wait();
            }
            slots[(int) (tail++ % slots.length)] = message;
            notifyAll();
        }

        synchronized long receive() throws InterruptedException {
            while (tail == head) {
                wait();
            }
            long m = slots[(int) (head++ % slots.length)];
            notifyAll();
            return m;
        }
    }

    static class Publisher extends Thread {
        private final Window window;
        private final Wire wire;
        private final int number;

        Publisher(Window window, Wire wire, int number) {
            super("publisher-" + number);
            this.window = window;
            this.wire = wire;
            this.number = number;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (long i = 1;; i++) {
                    window.reserve();
                    if (outstanding.incrementAndGet() > 8) {
                        broken = "window overrun";
                    }
                    wire.send(i * 10 + number);
                    if (i % 3 == 0) {
                        Thread.sleep(108); // nothing to publish for a while
                    } else {
                        Thread.sleep(1);
                    }
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class Peer extends Thread {
        private final Window window;
        private final Wire wire;
        private static final long[] last = new long[10];

        Peer(Window window, Wire wire) {
            super("peer");
            this.window = window;
            this.wire = wire;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    long m = wire.receive();
                    int from = (int) (m % 10);
                    if (m / 10 != last[from] + 1) {
                        broken = "message lost or out of order from " + from;
                    }
                    last[from] = m / 10;
                    Thread.sleep(ThreadLocalRandom.current().nextInt(20) == 0 ? 15 : 2);
                    outstanding.decrementAndGet();
                    window.acknowledge();
                    acked.incrementAndGet();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Window window = new Window(8);
        Wire wire = new Wire();
        new Peer(window, wire).start();
        for (int i = 0; i < 10; i++) {
            new Publisher(window, wire, i).start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + acked.get());
        System.exit(broken != null ? 1 : 0);
    }
}
