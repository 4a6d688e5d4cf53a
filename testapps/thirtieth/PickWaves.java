// @lock PickWaves$WaveLine
// @type BARRIER parties=4
// @role arrive PickWaves$WaveLine.lineUp

// @lock PickWaves$Interlock
// @type LOCK reentrant=true
// @role lock PickWaves$Interlock.enter
// @role unlock PickWaves$Interlock.exit

import java.util.Arrays;
import java.util.Random;

/** Wave picking: four pickers empty their zones and start the next wave together; the shelf lift can only be used by one of them. */
public class PickWaves {
    /** All four have to be back before the next wave is released. */
    static class WaveLine {
        private final boolean[] here = new boolean[4];
        private int wave;

        synchronized int lineUp(int picker) throws InterruptedException {
            here[picker] = true;
            for (boolean b : here) {
                if (!b) {
                    int mine = wave;
                    do {
                        wait();
                    } while (mine == wave);
                    return wave;
                }
            }
            Arrays.fill(here, false);
            wave++;
            notifyAll();
            return wave;
        }
    }

    /** From the house library: re-entrant, for the one device behind it. */
    static class Interlock {
        private Thread holder;
        private int nested;

        void enter() throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (this) {
                while (holder != null && holder != me) {
                    wait();
                }
                holder = me;
                nested++;
            }
        }

        void exit() {
            synchronized (this) {
                if (holder != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("not in the interlock");
                }
                if (--nested > 0) {
                    return;
                }
                holder = null;
                notify();
            }
        }
    }

    static class Lift {
        private final Interlock interlock = new Interlock();
        private int level;
        private long moves;

        void moveTo(int target) throws InterruptedException {
            interlock.enter();
            try {
                level = target;
                Thread.sleep(1);
                moves++;
                if (level != target) {
                    throw new IllegalStateException("the lift was moved by somebody else");
                }
            } finally {
                interlock.exit();
            }
        }

        void fetch(int target) throws InterruptedException {
            interlock.enter();
            try {
                moveTo(target);
                if (level != target) {
                    throw new IllegalStateException("the lift left without its pallet");
                }
                moveTo(0);
            } finally {
                interlock.exit();
            }
        }
    }

    static volatile Throwable failure;
    static final int[] waveOf = new int[4];
    static volatile int waves;

    public static void main(String[] args) throws Exception {
        int seconds = args.length == 0 ? 600 : Integer.parseInt(args[0]);
        Lift lift = new Lift();
        WaveLine line = new WaveLine();
        Thread[] pickers = new Thread[4];
        for (int i = 0; i < pickers.length; i++) {
            int number = i;
            pickers[i] = new Thread(() -> pick(number, lift, line), "picker-" + i);
            pickers[i].setDaemon(true);
        }
        for (Thread p : pickers) {
            p.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + waves);
    }

    private static void pick(int number, Lift lift, WaveLine line) {
        Random random = new Random(number);
        try {
            int expected = 0;
            for (;;) {
                for (int articles = 1 + random.nextInt(3); articles > 0; articles--) {
                    if (random.nextBoolean()) {
                        lift.fetch(1 + random.nextInt(8));
                    } else {
                        lift.moveTo(0);
                    }
                }
                Thread.sleep(random.nextInt(4));
                int wave = line.lineUp(number);
                if (wave != ++expected) {
                    throw new IllegalStateException("picker " + number + " missed a wave");
                }
                if (number == 0) {
                    waves = wave;
                }
            }
        } catch (InterruptedException | RuntimeException e) {
            failure = e;
        }
    }
}
