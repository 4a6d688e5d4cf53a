// @edge VaultRoom.room -> VaultRoom.gold
// @edge VaultRoom.gold -> VaultRoom.silver
// @edge VaultRoom.silver -> VaultRoom.gold
// @excluded gate VaultRoom.gold VaultRoom.silver
// @no-cycle

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A vault with a box of gold and a box of silver. Whoever needs both goes into the room first and locks the boxes in whatever
 * order comes to mind; who needs one only takes it where it stands. The room keeps the two orders apart.
 */
public final class VaultRoom {
    private static final Object room = new Object();
    private static final Object gold = new Object();
    private static final Object silver = new Object();
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;

    private static void both(Work work) throws InterruptedException {
        synchronized (room) {
            work.run();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
    }

    private static void goldThenSilver() throws InterruptedException {
        synchronized (gold) {
            Thread.sleep(1);
            synchronized (silver) {
                done.incrementAndGet();
            }
        }
    }

    private static void silverThenGold() throws InterruptedException {
        synchronized (silver) {
            Thread.sleep(1);
            synchronized (gold) {
                done.incrementAndGet();
            }
        }
    }

    private static void polishGold() throws InterruptedException {
        synchronized (gold) {
            Thread.sleep(3);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
    }

    private static void polishSilver() throws InterruptedException {
        synchronized (silver) {
            Thread.sleep(3);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                while (open) {
                    work.run();
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        start("weigher", () -> both(VaultRoom::goldThenSilver));
        start("minter", () -> both(VaultRoom::silverThenGold));
        start("gold-polisher", VaultRoom::polishGold);
        start("silver-polisher", VaultRoom::polishSilver);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        if (done.get() == 0) {
            throw new IllegalStateException("nobody came in");
        }
        System.out.println("DONE " + done.get());
    }
}
