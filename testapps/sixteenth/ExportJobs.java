// @lock ExportJob
// @type PRODUCER-CONSUMER+LATCH capacity=5 count=1
// @role put ExportJob.row
// @role take ExportJob.nextRow
// @role count-down ExportJob.closeFile
// @role await ExportJob.awaitFile

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One export of a customer list: rows go to the file writer, and whoever asked gets the finished file. */
class ExportJob {
    static final String END = new String("END");

    private final String[] rows = new String[5];
    private int first, count;
    private String fileName;
    private int written;
    private boolean cancelled;
    private final List<String> warnings = new ArrayList<>(2);
    final int number;

    ExportJob(int number) { this.number = number; }

    synchronized boolean row(String r) throws InterruptedException {
        if (r == null) {
            warnings.add("null row");
            return false;
        }
        while (count == rows.length) {
            if (cancelled) return false;
            wait();
        }
        rows[(first + count) % rows.length] = r;
        count++;
        notifyAll();
        return true;
    }

    synchronized String nextRow() throws InterruptedException {
        while (count == 0) {
            if (cancelled) return END;
            wait();
        }
        String r = rows[first];
        rows[first] = null;
        first = (first + 1) % rows.length;
        count--;
        if (r != END) written++;
        notifyAll();
        return r;
    }

    synchronized void closeFile(String name) {
        if (fileName != null) return;
        fileName = name;
        notifyAll();
    }

    synchronized String awaitFile(long ms) throws InterruptedException {
        long end = System.currentTimeMillis() + ms;
        while (fileName == null) {
            long left = end - System.currentTimeMillis();
            if (left <= 0) return null;
            wait(left);
        }
        return fileName + ":" + written;
    }

    synchronized void cancel() {
        cancelled = true;
        notifyAll();
    }
}

public class ExportJobs {
    static volatile String bad;
    static final AtomicLong ops = new AtomicLong();

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok && bad == null) bad = what; }

    static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { body.run(); ops.incrementAndGet(); }
            } catch (Throwable e) {
                check(false, name + " died: " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
    static final class Shared {
        volatile ExportJob job = new ExportJob(0);
    }

    public static void main(String[] v) throws Exception {
        for (int d = 0; d < 2; d++) {
            Shared s = new Shared();
            String suffix = d == 0 ? ".csv" : ".xml";
            int[] read = {-1}, wrote = {-1}, got = {-1};
            spawn("database" + suffix, () -> {
                ExportJob j = s.job;
                if (j.number == read[0]) {
                    pause(1, 2);
                    return;
                }
                read[0] = j.number;
                for (int i = 0; i < 12; i++) {
                    j.row("customer " + i);
                    if (i == 7 || ThreadLocalRandom.current().nextInt(6) == 0) pause(2, 5);
                }
                j.row(ExportJob.END);
            });
            spawn("writer" + suffix, () -> {
                ExportJob j = s.job;
                if (j.number == wrote[0]) {
                    pause(1, 2);
                    return;
                }
                wrote[0] = j.number;
                int n = 0;
                for (String r; (r = j.nextRow()) != ExportJob.END; n++) {
                    check(r.equals("customer " + n), "row " + r + " at " + n);
                    if (n < 7) pause(0, 2);
                }
                pause(1, 3);
                j.closeFile("e" + j.number + suffix);
            });
            spawn("requester" + suffix, () -> {
                ExportJob j = s.job;
                check(("e" + j.number + suffix + ":12").equals(j.awaitFile(20_000)), "file");
                s.job = new ExportJob(j.number + 1);
            });
            spawn("mailer" + suffix, () -> {
                ExportJob j = s.job;
                if (j.number == got[0]) {
                    pause(1, 3);
                    return;
                }
                got[0] = j.number;
                check(j.awaitFile(20_000) != null, "no file to mail");
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && bad == null) Thread.sleep(40);
        check(ops.get() > 0, "no progress");
        if (bad != null) {
            System.out.println("FAILED " + bad);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
