// Readers and writers after Andrews: nr, nw and dw as in the book, waiting writers first. Browsing takes time.
// @lock AndrewsArchive$Protocol
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock AndrewsArchive$Protocol.requestRead
// @role read-unlock AndrewsArchive$Protocol.releaseRead
// @role write-lock AndrewsArchive$Protocol.requestWrite
// @role write-unlock AndrewsArchive$Protocol.releaseWrite
// @lock java.lang.Object#browse
// @type DELAY
// @role delay AndrewsArchive$Archive.browse

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class AndrewsArchive {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    static final class Protocol {
        private int nr;
        private int nw;
        private int dw;

        synchronized void requestRead() throws InterruptedException {
            while (nw > 0 || dw > 0) {
                wait();
            }
            nr++;
        }

        synchronized void releaseRead() {
            nr--;
            if (nr == 0 && dw > 0) {
                notifyAll();
            }
        }

        synchronized void requestWrite() throws InterruptedException {
            dw++;
            try {
                while (nr > 0 || nw > 0) {
                    wait();
                }
                nw++;
            } finally {
                dw--;
                if (nw == 0) {
                    notifyAll();
                }
            }
        }

        synchronized void releaseWrite() {
            nw--;
            notifyAll();
        }
    }

    static final class Archive {
        private final Protocol protocol = new Protocol();
        private final Object eyes = new Object();
        private final int[] shelves = new int[8];

        /** Reading takes its time, whatever happens around. */
        private void browse(int millis) throws InterruptedException {
            synchronized (eyes) {
                long until = System.currentTimeMillis() + millis;
                long left = millis;
                while (left > 0) {
                    eyes.wait(left);
                    left = until - System.currentTimeMillis();
                }
            }
        }

        void lookUp() throws InterruptedException {
            protocol.requestRead();
            try {
                int first = shelves[0];
                browse(2 + dice(5));
                for (int s : shelves) {
                    check(s == first, "half an edit seen");
                }
            } finally {
                protocol.releaseRead();
            }
            OPS.incrementAndGet();
        }

        void revise() throws InterruptedException {
            protocol.requestWrite();
            try {
                for (int i = 0; i < shelves.length; i++) {
                    shelves[i]++;
                    if (i == 4) {
                        nap(2);
                    }
                }
            } finally {
                protocol.releaseWrite();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Archive archive = new Archive();
        for (int i = 0; i < 4; i++) {
            go("reader-" + i, () -> {
                archive.lookUp();
                nap(4);
            });
        }
        for (int i = 0; i < 2; i++) {
            go("writer-" + i, () -> {
                nap(14);
                archive.revise();
            });
        }
        finish(args);
    }
}
