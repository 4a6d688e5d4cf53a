// @lock NightBatch$Job
// @type JOIN
// @role join java.lang.Thread.join
//
// @lock NightBatch$Drives
// @type SEMAPHORE permits=3
// @role acquire NightBatch$Drives.mount
// @role acquire NightBatch$Drives.mountWithin
// @role release NightBatch$Drives.unmount

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A job scheduler: batches of jobs, a thread per job, that need one of three tape drives each. */
public class NightBatch {

    static final class Drives {
        private int free;
        private final int installed;

        Drives(int installed) {
            this.installed = installed;
            this.free = installed;
        }

        private boolean busy() {
            return free == 0;
        }

        synchronized void mount() throws InterruptedException {
            while (busy()) {
                wait();
            }
            free--;
        }

        synchronized boolean mountWithin(long millis) throws InterruptedException {
            if (busy()) {
                final long start = System.currentTimeMillis();
                long rest = millis;
                do {
                    wait(rest);
                    rest = millis - (System.currentTimeMillis() - start);
                } while (busy() && rest > 0);
            }
            if (busy()) {
                return false;
            }
            free--;
            return true;
        }

        synchronized void unmount() {
            free++;
            if (free > installed) {
                fault = "more drives than installed";
            }
            notify();
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final AtomicInteger MOUNTED = new AtomicInteger();
    static final Drives DRIVES = new Drives(3);

    static final class Job extends Thread {
        private final boolean patient;
        volatile int lines;

        Job(boolean patient) {
            this.patient = patient;
        }

        @Override public void run() {
            try {
                if (patient) {
                    DRIVES.mount();
                } else {
                    while (!DRIVES.mountWithin(100)) {
                        lines = 0;
                    }
                }
                try {
                    if (MOUNTED.incrementAndGet() > 3) {
                        fault = "too many mounted";
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
                    lines = 7;
                    MOUNTED.decrementAndGet();
                } finally {
                    DRIVES.unmount();
                }
            } catch (InterruptedException e) {
                fault = "job interrupted";
            }
        }
    }

    static void dispatcher() throws InterruptedException {
        while (true) {
            List<Job> batch = new ArrayList<Job>();
            for (int i = 0; i < 4; i++) {
                Job j = new Job(i % 2 == 0);
                j.setDaemon(true);
                batch.add(j);
                j.start();
            }
            for (Job j : batch) {
                j.join();
                if (j.lines != 7) {
                    fault = "joined a job that has not ended";
                }
                OPS.incrementAndGet();
            }
            Thread.sleep(5);
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread("dispatcher-" + i) {
                @Override public void run() {
                    try {
                        dispatcher();
                    } catch (InterruptedException e) {
                        fault = "dispatcher interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
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
