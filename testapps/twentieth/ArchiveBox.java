// Boxes of an archive, studied together and filed alone, strictly in the order of the slips handed in; porters wait for the lift.
// @lock ArchiveBox$Box
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock ArchiveBox$Box.study
// @role write-lock ArchiveBox$Box.file
// @role read-unlock ArchiveBox$Box.returnStudied
// @role write-unlock ArchiveBox$Box.returnFiled
// @lock java.lang.String#ride
// @type DELAY
// @role delay ArchiveBox.ride
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class ArchiveBox {
    static class Slip {
        final boolean alone;

        Slip(boolean alone) { this.alone = alone; }
    }

    static class Box {
        private final Queue<Slip> slips = new LinkedList<>();
        private int students;
        private boolean filing;

        private boolean served(Slip slip) {
            return slips.peek() == slip && !filing && (!slip.alone || students == 0);
        }

        synchronized void study() throws InterruptedException {
            Slip slip = new Slip(false);
            slips.add(slip);
            while (!served(slip)) wait();
            slips.remove();
            students++;
            notifyAll();    // the next slip may be a student's too
        }

        synchronized void file() throws InterruptedException {
            Slip slip = new Slip(true);
            slips.add(slip);
            while (!served(slip)) wait();
            slips.remove();
            filing = true;
        }

        synchronized void returnStudied() {
            students--;
            if (students == 0) notifyAll();
        }

        synchronized void returnFiled() {
            filing = false;
            notifyAll();
        }
    }

    private static final String LIFT = new String("lift");

    /** The lift takes its time; nobody can hurry it. */
    static void ride(int floors) throws InterruptedException {
        long arrival = System.nanoTime() + floors * 2_000_000L;
        synchronized (LIFT) {
            for (;;) {
                long nanos = arrival - System.nanoTime();
                if (nanos <= 0) return;
                LIFT.wait(nanos / 1_000_000 + 1);
            }
        }
    }

    static final AtomicLong OPS = new AtomicLong();
    static volatile String bad;

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok) bad = what; }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    body.run();
                    OPS.incrementAndGet();
                }
            } catch (Exception | Error e) {
                e.printStackTrace();
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    /** Watches over the run: failures, and standstill for twenty seconds. */
    static void supervise(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(100);
            long now = OPS.get();
            still = now == seen ? still + 1 : 0;
            seen = now;
            check(still < 200, "standstill");
        }
        System.out.println(bad == null ? "DONE " + OPS.get() : "FAILED " + bad);
        System.out.flush();
        System.exit(bad == null ? 0 : 1);
    }
    public static void main(String[] args) throws Exception {
        Box[] boxes = { new Box(), new Box() };
        int[][] pages = new int[2][2];
        for (int i = 0; i < 5; i++)
            spawn("student-" + i, () -> {
                int b = ThreadLocalRandom.current().nextInt(2);
                boxes[b].study();
                check(pages[b][0] == pages[b][1], "half filed");
                nap(1, 4);
                boxes[b].returnStudied();
                ride(ThreadLocalRandom.current().nextInt(1, 3));
            });
        for (int i = 0; i < 2; i++) {
            int b = i;
            spawn("archivist-" + i, () -> {
                boxes[b].file();
                pages[b][0]++;
                nap(1, 4);
                pages[b][1]++;
                boxes[b].returnFiled();
                ride(ThreadLocalRandom.current().nextInt(2, 4));
            });
        }
        supervise(args);
    }
}
