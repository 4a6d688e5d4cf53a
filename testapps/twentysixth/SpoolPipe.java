// @lock java.lang.Object#spool
// @type PRODUCER-CONSUMER capacity=12
// @role put SpoolPipe$Spool.spool
// @role take SpoolPipe$Spool.unspool
//
// @lock SpoolPipe$Poller
// @type DELAY
// @role delay SpoolPipe$Poller.idle

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A spool of twelve documents with a monitor for each side, filled by pollers of remote queues. */
public class SpoolPipe {

    static final class Doc {
        final long id;
        Doc next;

        Doc(long id) {
            this.id = id;
        }
    }

    /** Room is counted under one monitor, stock and the chain itself under another; they are never held together. */
    static final class Spool {
        private final Object roomSide = new Object();
        private final Object stockSide = new Object();
        private int room = 12;
        private int stock;
        private Doc first;
        private Doc last;

        void spool(Doc d) throws InterruptedException {
            synchronized (roomSide) {
                while (room == 0) {
                    roomSide.wait();
                }
                room--;
            }
            synchronized (stockSide) {
                if (first == null) {
                    first = d;
                } else {
                    last.next = d;
                }
                last = d;
                stock++;
                stockSide.notify();
            }
        }

        Doc unspool() throws InterruptedException {
            Doc d;
            synchronized (stockSide) {
                while (stock == 0) {
                    stockSide.wait();
                }
                stock--;
                d = first;
                first = d.next;
                if (stock > 12) {
                    fault = "spool overrun";
                }
            }
            synchronized (roomSide) {
                room++;
                roomSide.notify();
            }
            return d;
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final AtomicLong IN = new AtomicLong();
    static final AtomicLong OUT = new AtomicLong();
    static final Spool SPOOL = new Spool();

    static class Poller implements Runnable {
        private int interval = 2;

        /** Backs off while there is nothing, as every poller does. */
        private void idle() throws InterruptedException {
            synchronized (this) {
                wait(interval);
            }
            interval = Math.min(interval + 2, 9);
        }

        @Override public void run() {
            try {
                while (true) {
                    int found = ThreadLocalRandom.current().nextInt(20) - 8;
                    if (found <= 0) {
                        idle();
                        continue;
                    }
                    interval = 2;
                    for (int i = 0; i < found; i++) {
                        SPOOL.spool(new Doc(IN.incrementAndGet()));
                    }
                    idle();
                }
            } catch (InterruptedException e) {
                fault = "poller interrupted";
            }
        }
    }

    static class Printer implements Runnable {
        private final int speed;

        Printer(int speed) {
            this.speed = speed;
        }

        @Override public void run() {
            try {
                while (true) {
                    Doc d = SPOOL.unspool();
                    if (d.id <= 0 || OUT.incrementAndGet() > IN.get()) {
                        fault = "document " + d.id + " out of nowhere";
                    }
                    Thread.sleep(speed);
                    OPS.incrementAndGet();
                }
            } catch (InterruptedException e) {
                fault = "printer interrupted";
            }
        }
    }

    static void go(Runnable r) {
        Thread t = new Thread(r);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            go(new Poller());
            go(new Printer(2));
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
