// An almanac read by callers, amended by an editor and followed by subscribers, on one monitor; its printers work in rounds of three and
// keep their day-book under the monitor they meet on. A start signal lets all of them go.
// @lock Almanac$Pages
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock Almanac$Pages.read
// @role read-unlock Almanac$Pages.unread
// @role write-lock Almanac$Pages.amend
// @role write-unlock Almanac$Pages.publish
// @role wait Almanac$Pages.follow
// @role notify Almanac$Pages.publish
// @lock Almanac$Press
// @type BARRIER+MUTEX parties=3
// @role arrive Almanac$Press.together
// @role enter Almanac$Press.note
// @role enter Almanac$Press.notes
// @lock Almanac$Start
// @type LATCH count=1
// @role await Almanac$Start.await
// @role count-down Almanac$Start.go
// @quiet
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class Almanac {
    static class Pages {
        private int readers, edition;
        private boolean amending;
        int left, right;

        void read() throws InterruptedException {
            synchronized (this) {
                while (amending) wait();
                readers++;
            }
        }

        void unread() {
            synchronized (this) {
                if (--readers == 0) notifyAll();
            }
        }

        void amend() throws InterruptedException {
            synchronized (this) {
                while (amending || readers > 0) wait();
                amending = true;
            }
        }

        void publish() {
            synchronized (this) {
                amending = false;
                edition++;
                notifyAll();
            }
        }

        /** Waits for an edition later than the one given; it is not kept from being amended. */
        int follow(int known) throws InterruptedException {
            synchronized (this) {
                while (edition <= known) wait();
                return edition;
            }
        }
    }

    static class Press {
        private int waiting, round;
        private int written, sealed;

        synchronized int together() throws InterruptedException {
            int mine = round;
            if (++waiting == 3) {
                waiting = 0;
                round++;
                notifyAll();
                return mine;
            }
            while (round == mine) wait();
            return mine;
        }

        synchronized void note() throws InterruptedException {
            written++;
            Thread.sleep(1);
            sealed++;
        }

        synchronized int notes() throws InterruptedException {
            check(written == sealed, "a note without a seal");
            Thread.sleep(1);
            return written;
        }
    }

    static class Start {
        private boolean gone;

        synchronized void await() throws InterruptedException {
            while (!gone) wait();
        }

        synchronized void go() {
            gone = true;
            notifyAll();
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
        Pages pages = new Pages();
        Press press = new Press();
        Start start = new Start();
        for (int i = 0; i < 3; i++) {
            boolean[] on = { false };
            spawn("caller-" + i, () -> {
                if (!on[0]) start.await();
                on[0] = true;
                pages.read();
                check(pages.left == pages.right, "half amended");
                nap(0, 3);
                pages.unread();
                nap(2, 7);
            });
        }
        for (int i = 0; i < 2; i++)
            spawn("editor-" + i, () -> {
                pages.amend();
                pages.left++;
                nap(1, 3);
                pages.right++;
                pages.publish();
                nap(3, 9);
            });
        for (int i = 0; i < 2; i++) {
            int[] known = { 0 };
            spawn("subscriber-" + i, () -> {
                int e = pages.follow(known[0]);
                check(e > known[0], "an old edition");
                known[0] = e;
                nap(1, 6);
            });
        }
        for (int i = 0; i < 3; i++) {
            int[] round = { -1 };
            spawn("printer-" + i, () -> {
                if (round[0] < 0) start.await();
                check(press.together() == ++round[0], "printers out of step");
                nap(1, 5);
                press.note();
                nap(0, 2);
                press.note();
                int n = press.notes();
                check(n <= 6 * (round[0] + 1) && n >= 6 * round[0], "notes " + n);
            });
        }
        Thread.sleep(20);
        start.go();
        supervise(args);
    }
}
