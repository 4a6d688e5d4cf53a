// @lock java.lang.Object#offer
// @type PRODUCER-CONSUMER capacity=4
// @role put OrderPort$a.offer
// @role take OrderPort$a.poll

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An order port where both sides give up after a time: offers are refused, polls come back empty. Half obfuscated. */
public final class OrderPort {
    static final class a {
        private final Object b = new Object();
        private final LinkedList<Long> c = new LinkedList<>();
        private int d = 4;

        boolean offer(long e, long f) throws InterruptedException {
            long g = System.nanoTime() + f * 1_000_000L;
            synchronized (b) {
                while (d == 0) {
                    if (!h(g)) {
                        return false;
                    }
                }
                d--;
                c.addLast(e);
                b.notifyAll();
                return true;
            }
        }

        Long poll(long f) throws InterruptedException {
            long g = System.nanoTime() + f * 1_000_000L;
            synchronized (b) {
                while (c.isEmpty()) {
                    if (!h(g)) {
                        return null;
                    }
                }
                d++;
                b.notifyAll();
                return c.removeFirst();
            }
        }

        /** Waits until something changes, but not past the deadline. */
        private boolean h(long g) throws InterruptedException {
            long i = g - System.nanoTime();
            if (i <= 0) {
                return false;
            }
            b.wait(i / 1_000_000L, (int) (i % 1_000_000L));
            return true;
        }
    }

    private static final AtomicLong accepted = new AtomicLong();
    private static final AtomicLong refused = new AtomicLong();
    private static final AtomicLong filled = new AtomicLong();
    private static volatile boolean stop;

    private static void customer(a port) {
        try {
            while (!stop) {
                for (int k = 0; k < 4; k++) {
                    if (port.offer(k, 12)) {
                        accepted.incrementAndGet();
                    } else {
                        refused.incrementAndGet();
                    }
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 20));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void desk(a port) {
        try {
            for (;;) {
                Long order = port.poll(25);
                if (order != null) {
                    filled.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                } else if (stop) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a port = new a();
        Thread[] customers = new Thread[3];
        Thread[] desks = new Thread[2];
        for (int i = 0; i < customers.length; i++) {
            customers[i] = begin("customer-" + i, () -> customer(port));
        }
        for (int i = 0; i < desks.length; i++) {
            desks[i] = begin("desk-" + i, () -> desk(port));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : customers) {
            t.join(5_000);
        }
        for (Thread t : desks) {
            t.join(5_000);
        }
        if (accepted.get() != filled.get()) {
            throw new IllegalStateException(accepted + " accepted, " + filled + " filled");
        }
        System.out.println("DONE " + filled);
    }

    private static Thread begin(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        return t;
    }
}
