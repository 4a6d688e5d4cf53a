// @lock SpoolDisk$Side
// @type PRODUCER-CONSUMER capacity=8
// @role put SpoolDisk$Spool.store
// @role take SpoolDisk$Spool.fetch
//
// @lock SpoolDisk$Conversion
// @type JOIN
// @role join SpoolDisk$Conversion.result

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A print spool with a monitor for each end, between applications and printers; every document is converted by a thread of its own. */
public class SpoolDisk {
    static volatile String fault;
    static final AtomicLong printed = new AtomicLong();

    /** One end of the spool: where it works, and how many slots it may use. */
    static final class Side {
        int slots;
        int at;

        Side(int slots) {
            this.slots = slots;
        }
    }

    static final class Spool {
        private final long[][] disk;
        private final Side in;
        private final Side out;

        Spool(int slots) {
            disk = new long[slots][];
            in = new Side(slots);
            out = new Side(0);
        }

        void store(long[] page) throws InterruptedException {
            synchronized (in) {
                while (in.slots == 0) {
                    in.wait();
                }
                in.slots--;
                disk[in.at] = page;
                in.at = (in.at + 1) % disk.length;
            }
            grant(out);
        }

        long[] fetch() throws InterruptedException {
            long[] page;
            synchronized (out) {
                while (out.slots == 0) {
                    out.wait();
                }
                out.slots--;
                page = disk[out.at];
                disk[out.at] = null;
                out.at = (out.at + 1) % disk.length;
            }
            grant(in);
            return page;
        }

        private static void grant(Side s) {
            synchronized (s) {
                s.slots++;
                s.notify();
            }
        }
    }

    /** Turns a document into pages; the last thing it does is to say that it has ended. */
    static final class Conversion extends Thread {
        private final int pages;
        private long[] checksums;
        private boolean ended;

        Conversion(int pages) {
            this.pages = pages;
            setDaemon(true);
        }

        @Override
        public void run() {
            long[] sums = new long[pages];
            try {
                for (int i = 0; i < pages; i++) {
                    sums[i] = 7L * i;
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            } catch (InterruptedException e) {
                fault = e.toString();
            } finally {
                synchronized (this) {
                    checksums = sums;
                    ended = true;
                    notifyAll();
                }
            }
        }

        long[] result() throws InterruptedException {
            synchronized (this) {
                while (!ended) {
                    wait(1000);
                }
                return checksums;
            }
        }
    }

    interface Task {
        void loop() throws InterruptedException;
    }

    static void start(String name, Task task) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    task.loop();
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Spool spool = new Spool(8);
        AtomicLong stored = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            start("application-" + i, () -> {
                Conversion c = new Conversion(12);
                c.start();
                long[] sums = c.result();
                for (int p = 0; p < sums.length; p++) {
                    stored.incrementAndGet();
                    spool.store(new long[] {p, sums[p]});
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(35, 60));
            });
        }
        for (int i = 0; i < 2; i++) {
            start("printer-" + i, () -> {
                long[] page = spool.fetch();
                if (page == null || page[1] != page[0] * 7) {
                    fault = "a page was lost";
                }
                Thread.sleep(2);
                if (printed.incrementAndGet() > stored.get()) {
                    fault = "a page was printed twice";
                }
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + printed.get());
        System.exit(0);
    }
}
