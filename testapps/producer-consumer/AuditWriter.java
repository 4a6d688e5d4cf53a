// @lock java.lang.Object#log
// @type PRODUCER-CONSUMER capacity=16
// @role put AuditWriter.log
// @role take AuditWriter.nextBatch

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An audit log: services add lines and are held back at sixteen; the writer swaps the whole list and writes it out. */
public final class AuditWriter {
    private static final int LIMIT = 16;

    private final Object lock = new Object();
    private List<String> lines = new ArrayList<>(LIMIT);

    void log(String line) throws InterruptedException {
        synchronized (lock) {
            while (lines.size() >= LIMIT) {
                lock.wait();
            }
            lines.add(line);
            lock.notifyAll();
        }
    }

    List<String> nextBatch() throws InterruptedException {
        synchronized (lock) {
            while (lines.isEmpty()) {
                lock.wait();
            }
            List<String> batch = lines;
            lines = new ArrayList<>(LIMIT);
            lock.notifyAll();
            return batch;
        }
    }

    private final AtomicLong logged = new AtomicLong();
    private volatile boolean stop;
    private volatile long written;
    private volatile boolean failed;

    private void service() {
        try {
            while (!stop) {
                for (int i = 0; i < 5; i++) {
                    log("transaction " + logged.incrementAndGet());
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writer() {
        long n = 0;
        try {
            while (true) {
                List<String> batch = nextBatch();
                if (batch.size() > LIMIT) {
                    failed = true;
                }
                n += batch.size();
                written = n;
                Thread.sleep(batch.size() % 3 == 0 ? 9 : 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AuditWriter audit = new AuditWriter();
        Thread writer = new Thread(audit::writer, "audit-writer");
        writer.setDaemon(true);
        writer.start();
        Thread[] services = new Thread[3];
        for (int i = 0; i < services.length; i++) {
            services[i] = new Thread(audit::service, "service-" + i);
            services[i].setDaemon(true);
            services[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        audit.stop = true;
        for (Thread t : services) {
            t.join(5_000);
        }
        for (int i = 0; i < 2_000 && audit.written != audit.logged.get(); i++) {
            Thread.sleep(1);
        }
        if (audit.failed || audit.written != audit.logged.get()) {
            throw new IllegalStateException(audit.logged + " logged, " + audit.written + " written");
        }
        System.out.println("DONE " + audit.written);
    }
}
