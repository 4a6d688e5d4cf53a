// @lock java.util.Vector#submit
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put LegacyPrint$Spooler.submit
// @role take LegacyPrint$Spooler.nextJob

// @lock java.util.Hashtable#lockForm
// @type LOCK
// @role lock LegacyPrint$FormStore.lockForm
// @role unlock LegacyPrint$FormStore.unlockForm

// @lock LegacyPrint$StatusModel
// @type CONDITION
// @role wait LegacyPrint$StatusModel.waitForChange
// @role notify LegacyPrint$StatusModel.setStatus

import java.util.Hashtable;
import java.util.Vector;

/** A print system of 1999: raw collections, their own monitors as locks, forms locked by name. */
public class LegacyPrint {

    static class Job {
        String form;
        int pages;
    }

    static class Spooler {
        private Vector<Job> jobs = new Vector<Job>();

        void submit(Job j) {
            synchronized (jobs) {
                jobs.addElement(j);
                jobs.notify();
            }
        }

        Job nextJob() throws InterruptedException {
            synchronized (jobs) {
                while (jobs.isEmpty()) {
                    jobs.wait();
                }
                Job j = jobs.firstElement();
                jobs.removeElementAt(0);
                return j;
            }
        }
    }

    /** Who uses a form; a form nobody uses is not in the table. */
    static class FormStore {
        private Hashtable<String, Thread> users = new Hashtable<String, Thread>();

        void lockForm(String name) throws InterruptedException {
            synchronized (users) {
                while (users.containsKey(name)) {
                    users.wait();
                }
                users.put(name, Thread.currentThread());
            }
        }

        void unlockForm(String name) {
            synchronized (users) {
                if (users.get(name) != Thread.currentThread()) {
                    throw new IllegalStateException("not yours: " + name);
                }
                users.remove(name);
                users.notifyAll();
            }
        }
    }

    static class StatusModel {
        private String status = "idle";
        private long changes;

        synchronized void setStatus(String s) {
            if (!s.equals(status)) {
                status = s;
                changes++;
                notifyAll();
            }
        }

        synchronized long waitForChange(long known) throws InterruptedException {
            while (changes == known) {
                wait();
            }
            return changes;
        }
    }

    static final Spooler spooler = new Spooler();
    static final FormStore forms = new FormStore();
    static final StatusModel status = new StatusModel();
    static final String[] NAMES = {"invoice", "label"};
    static final int[] inUse = new int[2];
    static volatile String error;
    static volatile int printed;

    static class Printer extends Thread {
        int seed;

        Printer(int n) {
            super("printer-" + n);
            seed = n * 31 + 7;
            setDaemon(true);
        }

        int random(int n) {
            seed = seed * 1103515245 + 12345;
            return ((seed >>> 16) & 0x7fff) % n;
        }

        public void run() {
            try {
                while (true) {
                    Job j = spooler.nextJob();
                    int f = j.form.equals(NAMES[0]) ? 0 : 1;
                    forms.lockForm(j.form);
                    try {
                        if (++inUse[f] != 1) {
                            error = "form in use twice";
                        }
                        Thread.sleep(1 + random(4));
                        inUse[f]--;
                    } finally {
                        forms.unlockForm(j.form);
                    }
                    printed++;
                    status.setStatus("printed " + printed);
                }
            } catch (InterruptedException e) {
                error = e.toString();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 4; i++) {
            new Printer(i).start();
        }
        for (int i = 0; i < 3; i++) {
            final int n = i;
            Thread t = new Thread("desk-" + i) {
                public void run() {
                    try {
                        for (int k = 0;; k++) {
                            Job j = new Job();
                            j.form = NAMES[(k / (n + 1)) % 2];
                            j.pages = k % 9;
                            spooler.submit(j);
                            Thread.sleep(2 + (k * 7 + n) % 9);
                        }
                    } catch (InterruptedException e) {
                        error = e.toString();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread("panel-" + i) {
                public void run() {
                    try {
                        long seen = 0;
                        while (true) {
                            long now = status.waitForChange(seen);
                            if (now <= seen) {
                                error = "no change";
                            }
                            seen = now;
                            Thread.sleep(3);
                        }
                    } catch (InterruptedException e) {
                        error = e.toString();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (error != null) {
            System.out.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + printed);
    }
}
