// @finds nothing

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * There are two crates of each kind. Who wants one keeps the shop locked until he has it, and brings it back without going through
 * the shop again: whoever has one needs the shop no more.
 */
public final class CirculatingCrates {
    private static final Object shop = new Object();
    private static final BlockingQueue<String> large = new ArrayBlockingQueue<>(2);
    private static final BlockingQueue<String> small = new LinkedBlockingQueue<>();
    private static int borrowed;

    private static void fill(BlockingQueue<String> crates) throws InterruptedException {
        synchronized (shop) {
            crates.put("first");
            crates.put("second");
        }
    }

    private static void work(BlockingQueue<String> crates) {
        try {
            for (int round = 0; round < 20; round++) {
                String crate;
                synchronized (shop) {
                    crate = crates.take();
                    borrowed++;
                }
                Thread.sleep(1);
                crates.put(crate);
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        fill(large);
        fill(small);
        Thread[] workers = new Thread[8];
        for (int i = 0; i < workers.length; i++) {
            BlockingQueue<String> crates = i % 2 == 0 ? large : small;
            workers[i] = new Thread(() -> work(crates), "worker-" + i);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println("DONE " + borrowed);
    }
}
