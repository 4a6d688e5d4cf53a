// @lock java.lang.Object#reserve
// @type SEMAPHORE permits=8
// @role acquire Uplink.reserve
// @role release Uplink.giveBack

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An uplink of eight channels; transfers reserve one to four of them at once. */
public final class Uplink {
    private static final int CHANNELS = 8;

    private final Object monitor = new Object();
    private int inUse;

    void reserve(int channels) throws InterruptedException {
        if (channels < 1 || channels > CHANNELS) {
            throw new IllegalArgumentException(channels + " channels");
        }
        synchronized (monitor) {
            while (inUse + channels > CHANNELS) {
                monitor.wait();
            }
            inUse += channels;
        }
    }

    void giveBack(int channels) {
        synchronized (monitor) {
            inUse -= channels;
            monitor.notifyAll();
        }
    }

    private final AtomicInteger sending = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean broken;

    private void transfer(int channels) throws InterruptedException {
        reserve(channels);
        try {
            if (sending.addAndGet(channels) > CHANNELS) {
                broken = true;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            bytes.addAndGet(channels * 1500L);
        } finally {
            sending.addAndGet(-channels);
            giveBack(channels);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Uplink uplink = new Uplink();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (!uplink.broken) {
                        uplink.transfer(ThreadLocalRandom.current().nextInt(1, 5));
                        Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "transfer-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (uplink.broken) {
            throw new IllegalStateException("more channels sending than there are");
        }
        System.out.println("DONE " + uplink.bytes);
    }
}
