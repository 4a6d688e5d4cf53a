// @lock PrintDepot$Presses
// @type SEMAPHORE permits=3
// @role acquire PrintDepot$Presses.reserve
// @role acquire PrintDepot$Presses.reserveOrGiveUp
// @role release PrintDepot$Presses.free
//
// @lock PrintDepot$Proof
// @type LATCH count=1 form=future
// @role count-down PrintDepot$Proof.deliver
// @role await PrintDepot$Proof.get
// @role await PrintDepot$Proof.getWithin

import java.util.*;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A printing depot with three presses; each order's proof is looked at by its editor and by its customer. */
public class PrintDepot {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    static class Presses {
        private final int total;
        private int busy;

        Presses(int total) {
            this.total = total;
        }

        synchronized void reserve() throws InterruptedException {
            while (busy >= total)
                wait();
            busy++;
        }

        synchronized boolean reserveOrGiveUp(long millis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + millis;
            while (busy >= total) {
                long rest = deadline - System.currentTimeMillis();
                if (rest <= 0)
                    return false;
                wait(rest);
            }
            busy++;
            return true;
        }

        synchronized void free() {
            busy--;
            notify();
        }
    }

    static class Proof {
        private final int order;
        private byte[] image;
        private boolean ready;

        Proof(int order) {
            this.order = order;
        }

        synchronized void deliver(byte[] bytes) {
            if (ready)
                throw new IllegalStateException("delivered twice");
            image = bytes;
            ready = true;
            notifyAll();
        }

        synchronized byte[] get() throws InterruptedException {
            while (!ready)
                wait();
            return image;
        }

        synchronized byte[] getWithin(long millis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + millis;
            while (!ready) {
                long rest = deadline - System.currentTimeMillis();
                if (rest <= 0)
                    return null;
                wait(rest);
            }
            return image;
        }
    }

    static final ConcurrentLinkedQueue<Proof> orders = new ConcurrentLinkedQueue<>();
    static final ConcurrentLinkedQueue<Proof> customers = new ConcurrentLinkedQueue<>();
    static final Presses presses = new Presses(3);
    static final java.util.concurrent.atomic.AtomicInteger printing = new java.util.concurrent.atomic.AtomicInteger();

    static byte[] print(int order) {
        check(printing.incrementAndGet() <= 3, "more than three presses");
        nap(rnd(3, 7));
        printing.decrementAndGet();
        byte[] b = new byte[16];
        Arrays.fill(b, (byte) order);
        return b;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 5; i++)
            loop("printer-" + i, () -> {
                Proof p = orders.poll();
                if (p == null) {
                    nap(1);
                    return;
                }
                presses.reserve();
                try {
                    p.deliver(print(p.order));
                } finally {
                    presses.free();
                }
            });
        loop("trial", () -> {
            if (presses.reserveOrGiveUp(5)) {
                try {
                    print(0);
                } finally {
                    presses.free();
                }
            }
            nap(rnd(1, 3));
        });
        for (int i = 0; i < 5; i++) {
            final int base = i * 1000000;
            loop("editor-" + i, () -> {
                Proof p = new Proof(base + rnd(1, 999));
                orders.add(p);
                customers.add(p);
                byte[] b = p.get();
                check(b[3] == (byte) p.order, "wrong proof");
            });
        }
        for (int i = 0; i < 2; i++)
            loop("customer-" + i, () -> {
                Proof p = customers.poll();
                if (p == null) {
                    nap(1);
                    return;
                }
                byte[] b = p.getWithin(40);
                check(b == null || b[0] == (byte) p.order, "wrong proof for customer");
            });
        supervise(args);
    }
}
