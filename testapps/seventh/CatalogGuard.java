// @lock CatalogGuard$Guard
// @type LOCK reentrant=true
// @role lock CatalogGuard$Guard.enter
// @role lock CatalogGuard$Guard.tryEnter
// @role unlock CatalogGuard$Guard.exit

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A shop's catalogue under a guard in library style: run(body), nested as deep as you like, or tried for a while. */
public final class CatalogGuard {
    static final class Guard {
        private Thread holder;
        private int holds;

        <T> T run(Callable<T> body) throws Exception {
            enter();
            try {
                return body.call();
            } finally {
                exit();
            }
        }

        <T> T runWithin(long millis, T otherwise, Callable<T> body) throws Exception {
            if (!tryEnter(millis)) {
                return otherwise;
            }
            try {
                return body.call();
            } finally {
                exit();
            }
        }

        /** Not interruptible: an interrupt is kept for later. */
        private synchronized void enter() {
            Thread me = Thread.currentThread();
            boolean interrupted = false;
            while (holder != null && holder != me) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            holder = me;
            holds++;
            if (interrupted) {
                me.interrupt();
            }
        }

        private synchronized boolean tryEnter(long millis) throws InterruptedException {
            Thread me = Thread.currentThread();
            long until = System.nanoTime() + millis * 1_000_000L;
            while (holder != null && holder != me) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                wait(left / 1_000_000L, (int) (left % 1_000_000L));
            }
            holder = me;
            holds++;
            return true;
        }

        private synchronized void exit() {
            if (holder != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            if (--holds == 0) {
                holder = null;
                notify();
            }
        }
    }

    private final Guard guard = new Guard();
    private final Map<String, Integer> prices = new HashMap<>();
    private int changes;
    private int booked;

    private int setPrice(String item, int price) throws Exception {
        return guard.run(() -> {
            prices.put(item, price);
            return ++changes;
        });
    }

    private int sale(int percent) throws Exception {
        return guard.run(() -> {
            for (String item : new String[] {"tea", "rice", "soap"}) {
                setPrice(item, prices.getOrDefault(item, 1000) * (100 - percent) / 100 + 10);
                booked++;
            }
            Thread.sleep(1);
            return booked;
        });
    }

    private boolean consistent() throws Exception {
        return guard.runWithin(5, true, () -> {
            Thread.sleep(1);
            return changes == booked;
        });
    }

    private static volatile boolean stop;
    private static volatile Exception broken;
    private static final AtomicLong ops = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        CatalogGuard catalog = new CatalogGuard();
        Thread[] clerks = new Thread[5];
        for (int i = 0; i < clerks.length; i++) {
            boolean auditor = i > 2;
            clerks[i] = new Thread(() -> {
                try {
                    while (!stop) {
                        if (!auditor) {
                            catalog.sale(ThreadLocalRandom.current().nextInt(50));
                        } else if (!catalog.consistent()) {
                            throw new IllegalStateException("half a sale was seen");
                        }
                        ops.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    }
                } catch (Exception e) {
                    broken = e;
                }
            }, "clerk-" + i);
            clerks[i].setDaemon(true);
            clerks[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : clerks) {
            t.join(5_000);
            if (broken != null || t.isAlive()) {
                throw new IllegalStateException("the guard failed", broken);
            }
        }
        System.out.println("DONE " + ops);
    }
}
