// @lock NightlyJob$JobThread
// @type JOIN
// @role join NightlyJob$Scheduler.awaitEnd

import java.util.Hashtable;
import java.util.Map;

/**
 * The nightly run of an old host system: jobs that depend on each other, a thread each. The scheduler looks at the
 * thread itself and waits until it is not alive any more; the VM tells it.
 */
public class NightlyJob {
    static final String[] NAMES = {"EXTRACT", "SORT", "MERGE", "REPORT"};

    static class JobThread extends Thread {
        private final int number;
        private final Map<String, Integer> returnCodes;

        JobThread(int number, Map<String, Integer> returnCodes) {
            super(NAMES[number]);
            this.number = number;
            this.returnCodes = returnCodes;
        }

        public void run() {
            try {
                Thread.sleep(1 + number % 3);
                returnCodes.put(getName(), number == 3 ? 4 : 0);
            } catch (InterruptedException e) {
                returnCodes.put(getName(), 12);
            }
        }
    }

    static class Scheduler {
        private int jobs;

        void awaitEnd(JobThread job) throws InterruptedException {
            synchronized (job) {
                while (job.isAlive()) {
                    job.wait(60000);
                }
            }
        }

        void night() throws InterruptedException {
            Map<String, Integer> returnCodes = new Hashtable<>();
            JobThread extract = submit(0, returnCodes);
            awaitEnd(extract);
            JobThread sort = submit(1, returnCodes);
            JobThread merge = submit(2, returnCodes);
            awaitEnd(sort);
            awaitEnd(merge);
            JobThread report = submit(3, returnCodes);
            awaitEnd(report);
            int highest = 0;
            for (int i = 0; i < NAMES.length; i++) {
                Integer code = returnCodes.get(NAMES[i]);
                if (code == null) {
                    throw new IllegalStateException(NAMES[i] + " has not ended");
                }
                highest = Math.max(highest, code.intValue());
            }
            if (highest != 4) {
                throw new IllegalStateException("return code " + highest);
            }
        }

        private JobThread submit(int number, Map<String, Integer> returnCodes) {
            JobThread job = new JobThread(number, returnCodes);
            job.start();
            jobs++;
            return job;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Scheduler scheduler = new Scheduler();
        System.out.println("READY");
        System.out.flush();
        long end = System.currentTimeMillis() + seconds * 1000;
        while (System.currentTimeMillis() < end) {
            scheduler.night();
        }
        System.out.println("DONE " + scheduler.jobs);
    }
}
