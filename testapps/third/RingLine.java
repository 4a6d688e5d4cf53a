// @lock RingLine$Ring
// @type PRODUCER-CONSUMER capacity=8
// @role put RingLine$Ring.send
// @role take RingLine$Ring.receive

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Samples on their way through a ring with two indices and no count: one of its nine places always stays empty. */
public final class RingLine {
    static final class Ring {
        private final long[] cells = new long[9];
        private int head;
        private int tail;

        private int after(int index) {
            return index + 1 == cells.length ? 0 : index + 1;
        }

        synchronized void send(long value) throws InterruptedException {
            while (after(tail) == head) {
                wait();
            }
            cells[tail] = value;
            tail = after(tail);
            notifyAll();
        }

        synchronized long receive() throws InterruptedException {
            while (head == tail) {
                wait();
            }
            long value = cells[head];
            head = after(head);
            notifyAll();
            return value;
        }
    }

    private static final long END = -1;
    private final Ring ring = new Ring();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong ops = new AtomicLong();
    private volatile boolean stop;

    private void probe() {
        try {
            while (!stop) {
                int burst = ThreadLocalRandom.current().nextInt(1, 12);
                for (int i = 0; i < burst; i++) {
                    long v = ThreadLocalRandom.current().nextInt(1000);
                    ring.send(v);
                    sent.addAndGet(v);
                    ops.incrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 20));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void filter() {
        try {
            for (long v; (v = ring.receive()) != END;) {
                received.addAndGet(v);
                if (v % 3 == 0) {
                    Thread.sleep(1 + v % 4);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread start(Runnable body, String name) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RingLine line = new RingLine();
        Thread[] probes = {start(line::probe, "probe-0"), start(line::probe, "probe-1"), start(line::probe, "probe-2")};
        Thread[] filters = {start(line::filter, "filter-0"), start(line::filter, "filter-1")};
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        line.stop = true;
        for (Thread t : probes) {
            t.join(5_000);
        }
        line.ring.send(END);
        line.ring.send(END);
        for (Thread t : filters) {
            t.join(5_000);
        }
        if (line.sent.get() != line.received.get()) {
            throw new IllegalStateException("sent " + line.sent + ", received " + line.received);
        }
        System.out.println("DONE " + line.ops);
    }
}
