// @lock PressJob
// @type JOIN
// @role join java.lang.Thread.join
// @lock InkCabinet
// @type LOCK reentrant=true
// @role lock InkCabinet.open
// @role unlock InkCabinet.close

import java.util.concurrent.atomic.AtomicLong;

/** A print hall: foremen give each job to a thread of its own and wait for its end; jobs share a cabinet of ink. */
public class PressHall {
    static final AtomicLong SHEETS = new AtomicLong();
    static volatile String trouble;

    static class Foreman extends Thread {
        private final InkCabinet cabinet;
        private final int crew;

        Foreman(InkCabinet c, int crew) {
            super("foreman-" + crew);
            setDaemon(true);
            cabinet = c;
            this.crew = crew;
        }

        @Override
        public void run() {
            try {
                while (trouble == null) {
                    PressJob[] jobs = new PressJob[2];
                    for (int i = 0; i < jobs.length; i++) {
                        jobs[i] = new PressJob(cabinet, crew * 2 + i);
                        jobs[i].start();
                    }
                    for (PressJob j : jobs) {
                        j.join();
                        if (j.isAlive() || j.printed != 3) {
                            trouble = "job not finished: " + j.printed;
                        }
                    }
                    SHEETS.addAndGet(6);
                    Thread.sleep(3);
                }
            } catch (InterruptedException e) {
                trouble = "foreman interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        InkCabinet cabinet = new InkCabinet();
        for (int i = 0; i < 3; i++) {
            new Foreman(cabinet, i).start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && trouble == null) {
            Thread.sleep(50);
        }
        if (trouble != null) {
            System.out.println(trouble);
            System.exit(1);
        }
        System.out.println("DONE " + SHEETS);
    }
}

class PressJob extends Thread {
    private final InkCabinet cabinet;
    int printed;

    PressJob(InkCabinet c, int n) {
        super("press-" + n);
        setDaemon(true);
        cabinet = c;
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < 3; i++) {
                cabinet.open();
                try {
                    if (!cabinet.draw(2)) {
                        cabinet.refill();
                    }
                    Thread.sleep(1);
                } finally {
                    cabinet.close();
                }
                Thread.sleep(2);
                printed++;
            }
        } catch (InterruptedException e) {
            PressHall.trouble = "job interrupted";
        }
    }
}

class InkCabinet {
    private Thread keeper;
    private int depth;
    private int ink = 40;
    private int shadow = 40;

    synchronized void open() throws InterruptedException {
        Thread me = Thread.currentThread();
        while (keeper != null && keeper != me) {
            wait();
        }
        keeper = me;
        depth++;
    }

    synchronized void close() {
        if (keeper != Thread.currentThread()) {
            PressHall.trouble = "closed by a stranger";
            return;
        }
        if (--depth == 0) {
            keeper = null;
            notify();
        }
    }

    /** With the cabinet open. */
    boolean draw(int ml) {
        if (ink != shadow) {
            PressHall.trouble = "two hands in the cabinet";
        }
        if (ink < ml) {
            return false;
        }
        ink -= ml;
        shadow -= ml;
        return true;
    }

    void refill() throws InterruptedException {
        open();
        try {
            ink = 40;
            Thread.sleep(1);
            shadow = 40;
        } finally {
            close();
        }
    }
}
