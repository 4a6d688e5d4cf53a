// @lock LeaseFile$LockFile
// @type LOCK reentrant=false
// @role lock LeaseFile$LockFile.acquire
// @role unlock LeaseFile$LockFile.release

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Vector;

/**
 * Batch programs that share an interface file. Before opening it each writes its name into the lock file, as shell scripts do,
 * and waits, in slices of fifty milliseconds, while another name stands there.
 */
public class LeaseFile {
    private static final String NOBODY = "";

    static class LockFile {
        private String holder = NOBODY;

        public synchronized void acquire(String name) throws IOException {
            int slices = 0;
            while (!holder.equals(NOBODY)) {
                if (++slices > 200) {
                    throw new IOException("lock file stuck: " + holder);
                }
                try {
                    wait(50);
                } catch (InterruptedException e) {
                    throw new InterruptedIOException(name + " was cancelled");
                }
            }
            holder = name;
        }

        public synchronized void release(String name) throws IOException {
            if (!holder.equals(name)) {
                throw new IOException("lock file belongs to " + holder + ", not to " + name);
            }
            holder = NOBODY;
            notify();
        }
    }

    static class BatchProgram extends Thread {
        private final LockFile lockFile;
        private final Vector<String> lines;
        private volatile boolean cancelled;
        IOException error;
        int runs;

        BatchProgram(String name, LockFile lockFile, Vector<String> lines) {
            super(name);
            this.lockFile = lockFile;
            this.lines = lines;
        }

        public void run() {
            try {
                while (!cancelled) {
                    lockFile.acquire(getName());
                    try {
                        append();
                    } finally {
                        lockFile.release(getName());
                    }
                    sleep(1 + getName().length() % 3);
                }
            } catch (InterruptedIOException e) {
                cancelled = true;
            } catch (IOException e) {
                error = e;
            } catch (InterruptedException e) {
                cancelled = true;
            }
        }

        private void append() throws IOException, InterruptedIOException {
            int before = lines.size();
            lines.add("begin " + getName());
            try {
                sleep(2);
            } catch (InterruptedException e) {
                cancelled = true;
            }
            lines.add("end " + getName());
            if (lines.size() != before + 2) {
                throw new IOException("two programs in one file");
            }
            if (before > 100) {
                lines.clear();
            }
            runs++;
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LockFile lockFile = new LockFile();
        Vector<String> lines = new Vector<>();
        String[] names = {"INVOICES", "DUNNING", "STOCK", "PAYROLL", "VAT"};
        BatchProgram[] programs = new BatchProgram[names.length];
        for (int i = 0; i < names.length; i++) {
            programs[i] = new BatchProgram(names[i], lockFile, lines);
            programs[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        int runs = 0;
        for (BatchProgram program : programs) {
            program.interrupt();
        }
        for (BatchProgram program : programs) {
            program.join();
            runs += program.runs;
            if (program.error != null) {
                throw program.error;
            }
        }
        System.out.println("DONE " + runs);
    }
}
