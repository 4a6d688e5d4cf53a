// @lock java.lang.Object#seize
// @type LOCK reentrant=false
// @role lock ParcelBelt$Token.seize
// @role unlock ParcelBelt$Token.cede

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Two conveyor belts; a robot must hold a belt's token while it moves parcels on it. A plain flag, not re-entrant. */
public final class ParcelBelt {
    static final class Token {
        private final Object m = new Object();
        private boolean taken;

        void seize() throws InterruptedException {
            synchronized (m) {
                while (taken) {
                    m.wait();
                }
                taken = true;
            }
        }

        void cede() {
            synchronized (m) {
                taken = false;
                m.notify();
            }
        }
    }

    private final Token token = new Token();
    private long position;
    private volatile boolean slipped;
    private static final AtomicLong moves = new AtomicLong();

    void move(int by) throws InterruptedException {
        token.seize();
        try {
            long before = position;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            if (position != before) {
                slipped = true;
            }
            position = before + by;
        } finally {
            token.cede();
        }
        moves.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ParcelBelt[] belts = {new ParcelBelt(), new ParcelBelt()};
        for (int i = 0; i < 6; i++) {
            Thread robot = new Thread(() -> {
                try {
                    for (;;) {
                        belts[ThreadLocalRandom.current().nextInt(2)].move(1);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "robot-" + i);
            robot.setDaemon(true);
            robot.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (belts[0].slipped || belts[1].slipped) {
            throw new IllegalStateException("two robots moved one belt");
        }
        System.out.println("DONE " + moves);
    }
}
