// @lock NightBatch$BatchJob
// @type JOIN
// @role join NightBatch$BatchJob.awaitEnd

// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put NightBatch.report
// @role take NightBatch.nextLine

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;

/** The night batch: a chain of jobs, a thread each, waited for on the thread object; their lines go through a list to the protocol. */
public class NightBatch {
    static class BatchJob extends Thread {
        private final NightBatch batch;
        private final int records;
        private int done;

        BatchJob(NightBatch batch, int records) {
            super("job");
            this.batch = batch;
            this.records = records;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (done < records) {
                    Thread.sleep(5);
                    done++;
                    batch.report(getName() + " " + done);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        /** The VM notifies the thread object when the thread has ended. */
        int awaitEnd() throws InterruptedException {
            synchronized (this) {
                while (isAlive()) {
                    wait();
                }
            }
            return done;
        }
    }

    private final LinkedList<String> lines = new LinkedList<>();
    private volatile long written;

    void report(String line) {
        synchronized (lines) {
            lines.addLast(line);
            lines.notify();
        }
    }

    String nextLine() throws InterruptedException {
        synchronized (lines) {
            while (lines.isEmpty()) {
                lines.wait();
            }
            return lines.removeFirst();
        }
    }

    private void protocol() {
        try {
            while (true) {
                String line = nextLine();
                if (!line.startsWith("job ")) {
                    throw new IllegalStateException(line);
                }
                if (line.endsWith("0")) {
                    Thread.sleep(1);
                }
                written++;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private volatile boolean stop;
    private volatile boolean broken;

    private long steer() {
        long expected = 0;
        try {
            while (!stop) {
                int records = ThreadLocalRandom.current().nextInt(1, 8);
                BatchJob job = new BatchJob(this, records);
                job.start();
                if (job.awaitEnd() != records) {
                    broken = true;
                }
                expected += records;
                Thread.sleep(4);
            }
        } catch (InterruptedException e) {
            broken = true;
        }
        return expected;
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        NightBatch batch = new NightBatch();
        Thread protocol = new Thread(batch::protocol, "protocol");
        protocol.setDaemon(true);
        protocol.start();
        long[] sums = new long[3];
        Thread[] chains = new Thread[sums.length];
        for (int i = 0; i < chains.length; i++) {
            int n = i;
            chains[i] = new Thread(() -> sums[n] = batch.steer(), "chain-" + i);
            chains[i].setDaemon(true);
            chains[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        batch.stop = true;
        long expected = 0;
        for (int i = 0; i < chains.length; i++) {
            chains[i].join();
            expected += sums[i];
        }
        for (int i = 0; i < 1000 && batch.written < expected; i++) {
            Thread.sleep(10);
        }
        if (batch.broken || batch.written != expected) {
            throw new IllegalStateException("protocol has " + batch.written + " lines of " + expected);
        }
        System.out.println("DONE " + expected);
    }
}
