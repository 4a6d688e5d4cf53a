// @lock java.lang.Object#put
// @type PRODUCER-CONSUMER capacity=10
// @role put GrainSilo.put
// @role take GrainSilo.take

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A bounded buffer with a monitor for each end: those who fill count the room, those who empty count the sacks. */
public final class GrainSilo {
    private final Object filling = new Object();
    private final Object emptying = new Object();
    private final long[] sacks = new long[10];
    private int room = 10;
    private int stock;
    private int fillAt;
    private int emptyAt;

    void put(long sack) throws InterruptedException {
        synchronized (filling) {
            while (room == 0) {
                filling.wait();
            }
            room--;
            sacks[fillAt] = sack;
            fillAt = (fillAt + 1) % sacks.length;
        }
        synchronized (emptying) {
            stock++;
            emptying.notify();
        }
    }

    long take() throws InterruptedException {
        long sack;
        synchronized (emptying) {
            while (stock == 0) {
                emptying.wait();
            }
            stock--;
            sack = sacks[emptyAt];
            emptyAt = (emptyAt + 1) % sacks.length;
        }
        synchronized (filling) {
            room++;
            filling.notify();
        }
        return sack;
    }

    private static final AtomicLong in = new AtomicLong();
    private static final AtomicLong out = new AtomicLong();
    private static final AtomicLong moved = new AtomicLong();
    private static volatile boolean stop;

    static final class Farmer extends Thread {
        private final GrainSilo silo;

        Farmer(GrainSilo silo) {
            super("farmer");
            this.silo = silo;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!stop) {
                    for (int n = ThreadLocalRandom.current().nextInt(4, 14); n > 0; n--) {
                        silo.put(n);
                        in.addAndGet(n);
                    }
                    sleep(ThreadLocalRandom.current().nextInt(10, 25));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static final class Miller extends Thread {
        private final GrainSilo silo;

        Miller(GrainSilo silo) {
            super("miller");
            this.silo = silo;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (long sack = silo.take(); sack > 0; sack = silo.take()) {
                    out.addAndGet(sack);
                    moved.incrementAndGet();
                    sleep(ThreadLocalRandom.current().nextInt(4));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        GrainSilo silo = new GrainSilo();
        Thread[] farmers = {new Farmer(silo), new Farmer(silo)};
        Thread[] millers = {new Miller(silo), new Miller(silo)};
        for (int i = 0; i < 2; i++) {
            farmers[i].start();
            millers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : farmers) {
            t.join(5_000);
        }
        silo.put(0);
        silo.put(0);
        for (Thread t : millers) {
            t.join(5_000);
        }
        if (in.get() != out.get()) {
            throw new IllegalStateException(in + " in, " + out + " out");
        }
        System.out.println("DONE " + moved);
    }
}
