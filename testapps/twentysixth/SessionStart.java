// @lock SessionStart$Handshake
// @type LATCH count=1
// @role count-down SessionStart$Handshake.established
// @role await SessionStart$Handshake.awaitEstablished
//
// @lock SessionStart$Teardown
// @type LATCH count=2
// @role count-down SessionStart$Teardown.halfClosed
// @role await SessionStart$Teardown.awaitClosed

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Sessions of a protocol stack: reader and writer wait for the handshake, the acceptor waits until both halves are closed. */
public class SessionStart {

    enum State { SYN, ESTABLISHED }

    static final class Handshake {
        private State state = State.SYN;

        synchronized void established() {
            state = State.ESTABLISHED;
            notifyAll();
        }

        synchronized boolean awaitEstablished(long millis) throws InterruptedException {
            final long end = System.nanoTime() + millis * 1000000L;
            while (state != State.ESTABLISHED) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                wait(left / 1000000L, (int) (left % 1000000L));
            }
            return true;
        }
    }

    /** A bit for each half. */
    static final class Teardown {
        static final int READ = 1;
        static final int WRITE = 2;
        private int open = READ | WRITE;

        synchronized void halfClosed(int half) {
            if ((open & half) == 0) {
                fault = "half " + half + " closed twice";
            }
            open &= ~half;
            if (open == 0) {
                notifyAll();
            }
        }

        synchronized void awaitClosed() throws InterruptedException {
            while (open != 0) {
                wait();
            }
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();

    static final class Session {
        final Handshake handshake = new Handshake();
        final Teardown teardown = new Teardown();
        volatile int key;

        void half(int which) throws InterruptedException {
            if (!handshake.awaitEstablished(3000)) {
                fault = "handshake timed out";
            }
            if (key == 0) {
                fault = "no key after the handshake";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
            countClose();
            teardown.halfClosed(which);
        }

        private void countClose() {
            CLOSES.incrementAndGet();
        }
    }

    static final AtomicLong CLOSES = new AtomicLong();

    static void half(final Session s, final int which) {
        Thread t = new Thread(which == Teardown.READ ? "reader" : "writer") {
            @Override public void run() {
                try {
                    s.half(which);
                } catch (InterruptedException e) {
                    fault = "half interrupted";
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    static void acceptor() throws InterruptedException {
        while (true) {
            Session s = new Session();
            half(s, Teardown.READ);
            half(s, Teardown.WRITE);
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            s.key = 1 + ThreadLocalRandom.current().nextInt(1000);
            s.handshake.established();
            s.teardown.awaitClosed();
            OPS.incrementAndGet();
            if (CLOSES.get() < 2 * OPS.get()) {
                fault = "session gone before its halves";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread("acceptor-" + i) {
                @Override public void run() {
                    try {
                        acceptor();
                    } catch (InterruptedException e) {
                        fault = "acceptor interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(50);
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
