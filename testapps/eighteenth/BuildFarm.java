// @lock StageBoard
// @type LATCH count=3
// @role count-down StageBoard.tick
// @role await StageBoard.awaitGreen
// @lock BuildStep
// @type JOIN
// @role join BuildFarm.reap

import java.util.concurrent.atomic.AtomicLong;

/** A build farm: each build has three steps on three threads; it is published when all are green, then the steps are reaped. */
public class BuildFarm {
    static final AtomicLong BUILDS = new AtomicLong();
    static volatile String red;

    /** Waits until the thread of the step, including its clean-up, has gone. */
    static void reap(BuildStep s) throws InterruptedException {
        synchronized (s) {
            while (s.isAlive()) {
                s.wait();
            }
        }
        if (!s.cleaned) {
            red = "work directory left behind";
        }
    }

    static void coordinate() {
        try {
            while (red == null) {
                StageBoard board = new StageBoard();
                BuildStep[] steps = {new BuildStep(board, Stage.COMPILE), new BuildStep(board, Stage.TEST), new BuildStep(board, Stage.PACK)};
                for (BuildStep s : steps) {
                    s.start();
                }
                board.awaitGreen();
                for (BuildStep s : steps) {
                    if (!s.worked) {
                        red = "published without " + s.getName();
                    }
                }
                for (int i = steps.length; --i >= 0;) {
                    reap(steps[i]);
                }
                BUILDS.incrementAndGet();
                Thread.sleep(4);
            }
        } catch (InterruptedException e) {
            red = "coordinator interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(BuildFarm::coordinate, "coordinator-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long last = -1;
        for (int i = 0; i < seconds * 2 && red == null; i++) {
            Thread.sleep(500);
            if (BUILDS.get() == last) {
                red = "builds hang";
            }
            last = BUILDS.get();
        }
        if (red != null) {
            System.out.println(red);
            System.exit(1);
        }
        System.out.println("DONE " + BUILDS);
    }
}

enum Stage {
    COMPILE(3), TEST(6), PACK(4);

    final int millis;

    Stage(int ms) {
        millis = ms;
    }
}

class BuildStep extends Thread {
    private final StageBoard board;
    private final Stage stage;
    volatile boolean worked;
    boolean cleaned;

    BuildStep(StageBoard b, Stage s) {
        super("step-" + s);
        setDaemon(true);
        board = b;
        stage = s;
    }

    @Override
    public void run() {
        try {
            Thread.sleep(stage.millis);
            worked = true;
            board.tick(stage);
            Thread.sleep(5);
            cleaned = true;
        } catch (InterruptedException e) {
            BuildFarm.red = "step interrupted";
        }
    }
}

class StageBoard {
    private int open = (1 << Stage.values().length) - 1;

    synchronized void tick(Stage s) {
        open &= ~(1 << s.ordinal());
        if (open == 0) {
            notifyAll();
        }
    }

    synchronized void awaitGreen() throws InterruptedException {
        while (open != 0) {
            wait();
        }
    }
}
