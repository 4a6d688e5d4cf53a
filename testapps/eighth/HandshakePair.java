// @lock HandshakePair$Signal
// @type LATCH count=1
// @role count-down HandshakePair$Signal.raise
// @role await HandshakePair$Signal.await

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients and servers of a protocol with a three-way handshake. Every connection has three signals, each of which is
 * raised once and stays up.
 */
public final class HandshakePair {
    static final class Signal {
        private boolean raised;

        void raise() {
            synchronized (this) {
                raised = true;
                this.notifyAll();
            }
        }

        /** Keeps an interrupt for later: a handshake is not left in the middle. */
        void await() {
            boolean interrupted = false;
            synchronized (this) {
                while (!raised) {
                    try {
                        this.wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class Connection {
        final Signal syn = new Signal();
        final Signal synAck = new Signal();
        final Signal ack = new Signal();
        final int clientSequence = ThreadLocalRandom.current().nextInt(1 << 20);
        int acknowledged;
        int serverSequence;
        int confirmed;
    }

    private static final Queue<Connection> backlog = new ConcurrentLinkedQueue<>();
    private static final AtomicLong established = new AtomicLong();
    private static final AtomicLong broken = new AtomicLong();
    private static volatile boolean closed;

    private static void connect() throws InterruptedException {
        Connection c = new Connection();
        backlog.add(c);
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 6));
        c.syn.raise();
        c.synAck.await();
        if (c.acknowledged != c.clientSequence + 1) {
            broken.incrementAndGet();
        }
        Thread.sleep(1);
        c.confirmed = c.serverSequence + 1;
        c.ack.raise();
    }

    private static void accept() throws InterruptedException {
        Connection c = backlog.poll();
        if (c == null) {
            Thread.sleep(1);
            return;
        }
        c.syn.await();
        c.acknowledged = c.clientSequence + 1;
        c.serverSequence = ThreadLocalRandom.current().nextInt(1 << 20);
        Thread.sleep(1);
        c.synAck.raise();
        c.ack.await();
        if (c.confirmed != c.serverSequence + 1) {
            broken.incrementAndGet();
        }
        established.incrementAndGet();
    }

    private interface Side {
        void once() throws InterruptedException;
    }

    private static void run(String name, Side side) {
        Thread thread = new Thread(() -> {
            while (!closed) {
                try {
                    side.once();
                } catch (InterruptedException e) {
                    return;
                }
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            run("client-" + i, HandshakePair::connect);
            run("server-" + i, HandshakePair::accept);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        closed = true;
        if (broken.get() != 0 || established.get() == 0) {
            throw new IllegalStateException(broken + " of " + established + " connections broken");
        }
        System.out.println("DONE " + established);
    }
}
