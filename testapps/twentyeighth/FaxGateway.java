// @lock FaxGateway$ModemPool
// @type SEMAPHORE+CONDITION permits=3 form=object-pool
// @role acquire FaxGateway$Pool.lease
// @role release FaxGateway$Pool.restore
// @role wait FaxGateway$Pool.awaitUses
// @role notify FaxGateway$Pool.restore
// @lock FaxGateway$CoverSheet
// @type LOCK reentrant=false
// @role lock FaxGateway$CoverSheet.open
// @role lock FaxGateway$CoverSheet.tryOpen
// @role unlock FaxGateway$CoverSheet.close

import java.util.Random;
import java.util.Stack;

/** Three modems for six senders; after every ten uses the technician looks at the counters. One cover sheet for all. */
public class FaxGateway {
    static abstract class Pool<T> {
        private final Stack<T> shelf = new Stack<T>();
        private long uses;

        Pool(int n) {
            for (int i = 0; i < n; i++) {
                shelf.push(make(i));
            }
        }

        protected abstract T make(int i);

        public synchronized T lease() throws InterruptedException {
            while (shelf.empty()) {
                this.wait();
            }
            return shelf.pop();
        }

        public synchronized void restore(T thing) {
            shelf.push(thing);
            uses++;
            this.notifyAll();
        }

        /** Blocks until the things were used so many times, all in all. */
        public synchronized long awaitUses(long n) throws InterruptedException {
            while (uses < n) {
                this.wait();
            }
            return uses;
        }
    }

    static class Modem {
        volatile Thread user;
        int pages;
    }

    static class ModemPool extends Pool<Modem> {
        ModemPool() {
            super(3);
        }

        protected Modem make(int i) {
            return new Modem();
        }
    }

    /** The sheet can be written on by one at a time. */
    static class CoverSheet {
        private boolean opened = false;
        private String text = "";

        public synchronized void open() throws InterruptedException {
            while (opened) {
                wait();
            }
            opened = true;
        }

        public synchronized boolean tryOpen(long millis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + millis;
            while (opened) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            opened = true;
            return true;
        }

        public synchronized void close() {
            opened = false;
            notifyAll();
        }
    }

    static final ModemPool pool = new ModemPool();
    static final CoverSheet sheet = new CoverSheet();
    static volatile boolean closing;
    static volatile String fault;

    static class Sender extends Thread {
        final Random random = new Random();
        int sent;
        int skipped;

        public void run() {
            try {
                while (!closing) {
                    boolean mine = random.nextBoolean();
                    if (mine) {
                        sheet.open();
                    } else {
                        mine = sheet.tryOpen(6);
                    }
                    if (mine) {
                        try {
                            sheet.text = getName();
                            Thread.sleep(1 + random.nextInt(3));
                            if (!sheet.text.equals(getName())) {
                                fault = "scribbled over";
                            }
                        } finally {
                            sheet.close();
                        }
                    } else {
                        skipped++;
                    }
                    Modem m = pool.lease();
                    try {
                        if (m.user != null) {
                            fault = "a modem with two users";
                        }
                        m.user = this;
                        Thread.sleep(6 + random.nextInt(6));
                        m.pages++;
                        m.user = null;
                    } finally {
                        pool.restore(m);
                    }
                    sent++;
                }
            } catch (InterruptedException e) {
                fault = "interrupted";
            }
        }
    }

    static class Technician extends Thread {
        public void run() {
            try {
                for (long n = 10;; n += 10) {
                    if (pool.awaitUses(n) < n) {
                        fault = "called too early";
                    }
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Sender[] senders = new Sender[6];
        for (int i = 0; i < senders.length; i++) {
            senders[i] = new Sender();
            senders[i].setDaemon(true);
            senders[i].start();
        }
        Technician technician = new Technician();
        technician.setDaemon(true);
        technician.start();
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        closing = true;
        long sent = 0;
        for (int i = 0; i < senders.length; i++) {
            senders[i].join(10000);
            sent += senders[i].sent;
        }
        technician.interrupt();
        technician.join(10000);
        if (fault == null && pool.awaitUses(0) != sent) {
            fault = sent + " sent with " + pool.awaitUses(0) + " uses";
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + sent);
    }
}
