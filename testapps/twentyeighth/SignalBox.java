// @lock SignalBox$Semaphore
// @type CONDITION
// @role wait SignalBox$Semaphore.awaitClear
// @role notify SignalBox$Semaphore.show
// @lock SignalBox$Countdown
// @type BARRIER parties=3
// @role arrive SignalBox$Countdown.ready

import java.util.Random;

/** Trains stop at a semaphore whose arm goes up and down; three shunters begin each move together. */
public class SignalBox {
    static final int STOP = 0;
    static final int CAUTION = 1;
    static final int CLEAR = 2;

    /** One arm with three positions. Seeing it does not change it. */
    static class Semaphore {
        private int arm = STOP;
        private int movements;

        synchronized void show(int position) {
            arm = position;
            movements++;
            if (position != STOP) {
                notifyAll();
            }
        }

        /** @return the position seen, CLEAR or, for those who may pass at caution, CAUTION */
        synchronized int awaitClear(boolean cautionWillDo) throws InterruptedException {
            while (arm == STOP || arm == CAUTION && !cautionWillDo) {
                wait();
            }
            return arm;
        }

        synchronized int movements() {
            return movements;
        }
    }

    /** "Three, two, one, push." */
    static class Countdown {
        private int left = 3;
        private long pushes;

        synchronized long ready() {
            long push = pushes;
            left--;
            if (left > 0) {
                while (pushes == push) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            } else {
                pushes++;
                left = 3;
                notifyAll();
            }
            return push;
        }
    }

    static final Semaphore semaphore = new Semaphore();
    static final Countdown countdown = new Countdown();
    static final long[] position = new long[3];
    static volatile Throwable accident;

    static abstract class Staff extends Thread {
        final Random random = new Random();
        volatile int done;

        Staff(String name) {
            super(name);
            setDaemon(true);
        }

        abstract void act() throws InterruptedException;

        @Override
        public void run() {
            try {
                while (!isInterrupted()) {
                    act();
                    done++;
                }
            } catch (InterruptedException e) {
                // out of service
            } catch (RuntimeException e) {
                accident = e;
            }
        }
    }

    static class Train extends Staff {
        private final boolean slow;

        Train(int n, boolean slow) {
            super("train-" + n);
            this.slow = slow;
        }

        @Override
        void act() throws InterruptedException {
            int seen = semaphore.awaitClear(slow);
            if (seen == STOP || seen == CAUTION && !slow) {
                throw new IllegalStateException("passed at danger");
            }
            Thread.sleep(5 + random.nextInt(12));
        }
    }

    static class Signalman extends Staff {
        Signalman() {
            super("signalman");
        }

        @Override
        void act() throws InterruptedException {
            semaphore.show(CAUTION);
            Thread.sleep(3);
            semaphore.show(CLEAR);
            Thread.sleep(2);
            semaphore.show(STOP);
            Thread.sleep(10 + random.nextInt(8));
        }
    }

    static class Shunter extends Staff {
        private final int me;

        Shunter(int me) {
            super("shunter-" + me);
            this.me = me;
        }

        @Override
        void act() throws InterruptedException {
            Thread.sleep(1 + random.nextInt(9));
            synchronized (position) {
                position[me]++;
            }
            countdown.ready();
            synchronized (position) {
                long mine = position[me];
                for (long p : position) {
                    if (p < mine || p > mine + 1) {
                        throw new IllegalStateException("one waggon at " + p + ", mine at " + mine);
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Staff[] staff = {
            new Train(1, false), new Train(2, true), new Train(3, true), new Train(4, false), new Signalman(),
            new Shunter(0), new Shunter(1), new Shunter(2),
        };
        for (Staff s : staff) {
            s.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (accident != null) {
            accident.printStackTrace();
            System.exit(1);
        }
        int ops = semaphore.movements();
        for (Staff s : staff) {
            ops += s.done;
        }
        System.out.println("DONE " + ops);
    }
}
