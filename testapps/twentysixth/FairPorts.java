// @lock FairPorts$Ports
// @type SEMAPHORE permits=3
// @role acquire FairPorts$Ports.open
// @role release FairPorts$Ports.close
//
// @lock FairPorts$Accounting
// @type MUTEX
// @role enter FairPorts$Accounting.charge
// @role enter FairPorts$Accounting.balance

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Three outbound ports given out strictly first come, first served: each caller waits on a ticket of his own. */
public class FairPorts {

    static final class Ticket {
        private boolean granted;

        synchronized void grant() {
            granted = true;
            notify();
        }

        synchronized void await() throws InterruptedException {
            while (!granted) {
                wait();
            }
        }
    }

    static final class Ports {
        private final Deque<Ticket> line = new ArrayDeque<Ticket>();
        private int free = 3;

        void open() throws InterruptedException {
            Ticket t;
            synchronized (this) {
                if (free > 0) {
                    free--;
                    return;
                }
                t = new Ticket();
                line.addLast(t);
            }
            t.await();
        }

        void close() {
            Ticket next;
            synchronized (this) {
                next = line.pollFirst();
                if (next == null) {
                    free++;
                }
            }
            if (next != null) {
                next.grant();
            }
        }
    }

    static final class Accounting {
        private final long[] perCaller = new long[7];
        private long total;

        synchronized void charge(int caller, int units) throws InterruptedException {
            perCaller[caller] += units;
            Thread.sleep(1);
            total += units;
        }

        synchronized long balance() throws InterruptedException {
            long s = 0;
            for (long p : perCaller) {
                s += p;
            }
            Thread.sleep(1);
            return s - total;
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final AtomicInteger OPEN = new AtomicInteger();
    static final Ports PORTS = new Ports();
    static final Accounting ACCOUNTING = new Accounting();

    static void caller(int id) throws InterruptedException {
        while (true) {
            int units = ThreadLocalRandom.current().nextInt(3, 8);
            PORTS.open();
            if (OPEN.incrementAndGet() > 3) {
                fault = "a fourth port is open";
            }
            Thread.sleep(units);
            OPEN.decrementAndGet();
            PORTS.close();
            ACCOUNTING.charge(id, units);
            OPS.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 7; i++) {
            final int id = i;
            Thread t = new Thread("caller-" + i) {
                @Override public void run() {
                    try {
                        caller(id);
                    } catch (InterruptedException e) {
                        fault = "caller interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(5);
            if (ACCOUNTING.balance() != 0) {
                fault = "accounts do not add up";
            }
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
