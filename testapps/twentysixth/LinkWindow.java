// @lock LinkWindow$Window
// @type SEMAPHORE+CONDITION permits=8
// @role acquire LinkWindow$Window.claim
// @role release LinkWindow$Window.confirm
// @role wait LinkWindow$Window.drain
// @role notify LinkWindow$Window.confirm
//
// @lock java.util.LinkedList#transmit
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put LinkWindow$Wire.transmit
// @role take LinkWindow$Wire.arrive

import java.util.LinkedList;
import java.util.concurrent.atomic.AtomicLong;

/** A link protocol with a send window of eight frames; a flush waits until all that was sent before it is confirmed. */
public class LinkWindow {

    static final class Window {
        private static final int SIZE = 8;
        private long sent;
        private long acked;

        synchronized long claim() throws InterruptedException {
            while (sent - acked >= SIZE) {
                wait();
            }
            return sent++;
        }

        synchronized void confirm() {
            acked++;
            if (acked > sent) {
                fault = "more confirmed than sent";
            }
            notifyAll();
        }

        synchronized void drain(long mark) throws InterruptedException {
            while (acked < mark) {
                wait();
            }
        }

        synchronized long mark() {
            if (sent - acked > SIZE) {
                fault = "window overrun";
            }
            return sent;
        }
    }

    static final class Wire {
        private final LinkedList<Long> frames = new LinkedList<Long>();

        void transmit(long f) {
            synchronized (frames) {
                frames.addLast(f);
                frames.notify();
            }
        }

        long arrive() throws InterruptedException {
            synchronized (frames) {
                while (frames.isEmpty()) {
                    frames.wait();
                }
                return frames.removeFirst();
            }
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();

    private final Window window = new Window();
    private final Wire wire = new Wire();

    private void send(int pause) throws InterruptedException {
        while (true) {
            for (int i = 0; i < 6; i++) {
                wire.transmit(window.claim());
            }
            Thread.sleep(pause);
        }
    }

    private void peer() throws InterruptedException {
        while (true) {
            long f = wire.arrive();
            if (f < 0) {
                fault = "bad frame " + f;
            }
            if (f % 3 == 0) {
                Thread.sleep(2);
            }
            window.confirm();
            OPS.incrementAndGet();
        }
    }

    private void flusher() throws InterruptedException {
        while (true) {
            long mark = window.mark();
            window.drain(mark);
            Thread.sleep(3);
        }
    }

    private void start(final int what, String name) {
        Thread t = new Thread(name) {
            @Override public void run() {
                try {
                    switch (what) {
                        case 0: send(5); break;
                        case 1: send(9); break;
                        case 2: peer(); break;
                        default: flusher(); break;
                    }
                } catch (InterruptedException e) {
                    fault = getName() + " interrupted";
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int l = 0; l < 2; l++) {
            LinkWindow link = new LinkWindow();
            link.start(0, "data-" + l);
            link.start(1, "control-" + l);
            link.start(2, "peer-" + l);
            link.start(3, "flusher-" + l);
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end) {
            Thread.sleep(40);
            if (fault != null) {
                System.out.println("FAULT " + fault);
                System.exit(1);
            }
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }
}
