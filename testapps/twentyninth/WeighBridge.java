// @lock WeighBridge$Scale
// @type LOCK reentrant=false
// @role lock WeighBridge$Scale.driveOn
// @role unlock WeighBridge$Scale.driveOff
// @lock WeighBridge$Ledger
// @type MUTEX
// @role enter WeighBridge$Ledger.post
// @role enter WeighBridge$Ledger.audit

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Lorries draw a number and drive onto the only scale in that order; the weights go into a slow ledger. */
public final class WeighBridge {

    /** Numbers like at the baker's: one is drawn, one is on the display. */
    static final class Scale {
        private long drawn;
        private long display;
        private Thread driver;

        synchronized void driveOn() {
            final long mine = drawn++;
            boolean interrupted = false;
            while (display != mine) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            driver = Thread.currentThread();
            if (interrupted) {
                driver.interrupt();
            }
        }

        synchronized void driveOff() {
            if (driver != Thread.currentThread()) {
                throw new IllegalStateException("somebody else is on the scale");
            }
            driver = null;
            display++;
            notifyAll();
        }
    }

    static final class Ledger {
        private long entries;
        private long kilos;
        private long checksum;

        synchronized void post(int weight) throws InterruptedException {
            kilos += weight;
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5)); // the old disk
            checksum += weight * 3L;
            entries++;
        }

        synchronized long audit() throws InterruptedException {
            Thread.sleep(1);
            if (kilos * 3 != checksum) {
                throw new IllegalStateException("the ledger does not add up");
            }
            return entries;
        }
    }

    private final Scale scale = new Scale();
    private final Ledger ledger = new Ledger();
    private final AtomicInteger onScale = new AtomicInteger();
    private final AtomicLong weighed = new AtomicLong();
    private volatile Throwable trouble;

    private void lorry() throws InterruptedException {
        int kilos;
        scale.driveOn();
        try {
            if (onScale.incrementAndGet() != 1) {
                throw new IllegalStateException("two lorries on the scale");
            }
            kilos = ThreadLocalRandom.current().nextInt(3000, 40000);
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            onScale.decrementAndGet();
        } finally {
            scale.driveOff();
        }
        ledger.post(kilos);
        weighed.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
    }

    private void auditor() throws InterruptedException {
        ledger.audit();
        Thread.sleep(6);
    }

    interface Job {
        void once() throws InterruptedException;
    }

    private void launch(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                while (trouble == null) {
                    job.once();
                }
            } catch (InterruptedException | RuntimeException e) {
                trouble = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        WeighBridge b = new WeighBridge();
        for (int i = 1; i <= 5; i++) {
            b.launch("lorry-" + i, b::lorry);
        }
        b.launch("auditor", b::auditor);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (b.trouble != null) {
            throw new IllegalStateException(b.trouble);
        }
        System.out.println("DONE " + b.weighed);
    }
}
