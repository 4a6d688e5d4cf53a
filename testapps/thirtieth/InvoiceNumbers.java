// @lock java.lang.Class#next
// @type MUTEX
// @role enter InvoiceNumbers$NumberRange.next
// @role enter InvoiceNumbers$NumberRange.giveUp

// @lock InvoiceNumbers$PrintQueue
// @type PRODUCER-CONSUMER capacity=12
// @role put InvoiceNumbers$PrintQueue.add
// @role take InvoiceNumbers$PrintQueue.remove

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Clerks draw invoice numbers from one number range and queue the invoices for two printers. Written in 1998 and never touched since. */
public class InvoiceNumbers implements Runnable {
    static class NumberRange {
        private static int high = 10000;
        private static int returned = -1;
        private static int written = 10000;

        /** The next number; a number given up is used first, as the auditors want no holes. */
        static synchronized int next() throws InterruptedException {
            int n;
            if (returned >= 0) {
                n = returned;
                returned = -1;
            } else {
                n = ++high;
            }
            if (high > written) {
                Thread.sleep(2); // the range file is rewritten
                written = high;
            }
            return n;
        }

        static synchronized boolean giveUp(int n) {
            if (returned >= 0) {
                return false;
            }
            returned = n;
            return true;
        }
    }

    static class PrintQueue {
        private int[] items = new int[12];
        private int head = 0;
        private int tail = 0;
        private int count = 0;

        synchronized void add(int invoice) throws InterruptedException {
            while (count == items.length)
                wait();
            items[tail] = invoice;
            tail = (tail + 1) % items.length;
            count++;
            notifyAll();
        }

        synchronized int remove() throws InterruptedException {
            while (count == 0)
                wait();
            int invoice = items[head];
            head = (head + 1) % items.length;
            count--;
            notifyAll();
            return invoice;
        }
    }

    static PrintQueue queue = new PrintQueue();
    static AtomicLong queued = new AtomicLong();
    static AtomicLong printed = new AtomicLong();
    static AtomicLong sumQueued = new AtomicLong();
    static AtomicLong sumPrinted = new AtomicLong();
    static volatile boolean stop;
    static volatile String trouble;

    private boolean printer;

    InvoiceNumbers(boolean printer) {
        this.printer = printer;
    }

    public void run() {
        Random random = new Random();
        try {
            if (printer) {
                while (true) {
                    int n = queue.remove();
                    if (n < 10001)
                        trouble = "invoice number out of range: " + n;
                    sumPrinted.addAndGet(n);
                    printed.incrementAndGet();
                    Thread.sleep(2 + random.nextInt(5));
                }
            }
            while (!stop) {
                int n = NumberRange.next();
                if (random.nextInt(10) == 0 && NumberRange.giveUp(n))
                    continue;
                sumQueued.addAndGet(n);
                queue.add(n);
                queued.incrementAndGet();
                if (random.nextInt(30) == 0)
                    Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            trouble = "interrupted";
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] clerks = new Thread[4];
        for (int i = 0; i < clerks.length; i++) {
            clerks[i] = new Thread(new InvoiceNumbers(false), "clerk-" + i);
            clerks[i].setDaemon(true);
            clerks[i].start();
        }
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(new InvoiceNumbers(true), "printer-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (int i = 0; i < clerks.length; i++)
            clerks[i].join();
        for (int i = 0; i < 1000 && printed.get() < queued.get(); i++)
            Thread.sleep(10);
        if (trouble != null || sumPrinted.get() != sumQueued.get())
            throw new IllegalStateException(trouble != null ? trouble : "invoices lost between clerks and printers");
        System.out.println("DONE " + printed);
    }
}
