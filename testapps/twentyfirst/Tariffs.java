// @lock Tariffs
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock Tariffs.startReading
// @role read-unlock Tariffs.stopReading
// @role write-lock Tariffs.startWriting
// @role write-unlock Tariffs.stopWriting
// @role wait Tariffs.awaitEdition
// @role notify Tariffs.publish

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Freight tariffs: quoted by many, revised by two; branch offices wait for the next published edition on the same monitor. */
public class Tariffs {
    private boolean updating = false;
    private int nr = 0;
    private int edition = 0;

    final int[] rate = {10, 10, 10, 10};

    public void startReading() throws InterruptedException {
        synchronized (this) {
            while (updating) {
                wait();
            }
            nr++;
        }
    }

    public void stopReading() {
        synchronized (this) {
            nr--;
            if (nr == 0) {
                notifyAll();
            }
        }
    }

    public void startWriting() throws InterruptedException {
        synchronized (this) {
            while (updating || nr > 0) {
                wait();
            }
            updating = true;
        }
    }

    public void stopWriting() {
        synchronized (this) {
            updating = false;
            notifyAll();
        }
    }

    public int awaitEdition(int after) throws InterruptedException {
        synchronized (this) {
            while (edition <= after) {
                wait();
            }
            return edition;
        }
    }

    public void publish() {
        synchronized (this) {
            edition++;
            notifyAll();
        }
    }

    static final AtomicLong ops = new AtomicLong();
    static volatile String problem = null;

    class Quoter extends Thread {
        @Override
        public void run() {
            try {
                while (problem == null) {
                    startReading();
                    int sum = rate[0] + rate[1];
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    sum += rate[2] + rate[3];
                    if (sum != 40) {
                        problem = "sum of rates is " + sum;
                    }
                    stopReading();
                    ops.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
                }
            } catch (InterruptedException e) {
                problem = "quoter interrupted";
            }
        }
    }

    class Reviser extends Thread {
        @Override
        public void run() {
            try {
                while (problem == null) {
                    startWriting();
                    int from = ThreadLocalRandom.current().nextInt(4);
                    rate[from]--;
                    Thread.sleep(2);
                    rate[(from + 1) % 4]++;
                    stopWriting();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(6, 15));
                }
            } catch (InterruptedException e) {
                problem = "reviser interrupted";
            }
        }
    }

    class Publisher extends Thread {
        @Override
        public void run() {
            try {
                while (problem == null) {
                    Thread.sleep(11);
                    publish();
                }
            } catch (InterruptedException e) {
                problem = "publisher interrupted";
            }
        }
    }

    class Branch extends Thread {
        @Override
        public void run() {
            try {
                int known = 0;
                while (problem == null) {
                    int e = awaitEdition(known);
                    if (e <= known) {
                        problem = "edition " + e + " is not new";
                    }
                    known = e;
                    ops.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                }
            } catch (InterruptedException e) {
                problem = "branch interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Tariffs t = new Tariffs();
        Thread[] all = {t.new Quoter(), t.new Quoter(), t.new Quoter(), t.new Reviser(), t.new Reviser(), t.new Publisher(),
            t.new Branch(), t.new Branch()};
        for (Thread x : all) {
            x.setDaemon(true);
            x.start();
        }
        System.out.println("READY");
        for (int i = 0; i < seconds * 10 && problem == null; i++) {
            Thread.sleep(100);
        }
        if (problem != null) {
            System.out.println("PROBLEM " + problem);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }
}
