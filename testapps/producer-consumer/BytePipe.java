// @lock BytePipe
// @type PRODUCER-CONSUMER capacity=32
// @role put BytePipe.write
// @role take BytePipe.read

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A pipe between two stages: writes and reads of many bytes at once, in part if need be. */
public class BytePipe {
    private final byte[] ring = new byte[32];
    private int start;
    private int length;

    private BytePipe() {
    }

    /** Writes everything, waiting for room as often as it takes. */
    synchronized void write(byte[] from) throws InterruptedException {
        int done = 0;
        while (done < from.length) {
            while (length == ring.length) {
                wait();
            }
            int n = Math.min(ring.length - length, from.length - done);
            for (int i = 0; i < n; i++) {
                ring[(start + length + i) % ring.length] = from[done + i];
            }
            length += n;
            done += n;
            notifyAll();
        }
    }

    /** Reads at least one byte, at most what fits. */
    synchronized int read(byte[] into) throws InterruptedException {
        while (length == 0) {
            wait();
        }
        int n = Math.min(length, into.length);
        for (int i = 0; i < n; i++) {
            into[i] = ring[(start + i) % ring.length];
        }
        start = (start + n) % ring.length;
        length -= n;
        notifyAll();
        return n;
    }

    private static final AtomicLong through = new AtomicLong();
    private static volatile boolean failed;

    private static void source(BytePipe pipe) {
        byte next = 0;
        try {
            while (!failed) {
                byte[] block = new byte[ThreadLocalRandom.current().nextInt(1, 48)];
                for (int i = 0; i < block.length; i++) {
                    block[i] = next++;
                }
                pipe.write(block);
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sink(BytePipe pipe) {
        byte expected = 0;
        byte[] block = new byte[20];
        try {
            while (!failed) {
                int n = pipe.read(block);
                for (int i = 0; i < n; i++) {
                    if (block[i] != expected++) {
                        failed = true;
                    }
                }
                through.addAndGet(n);
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            BytePipe pipe = new BytePipe();
            Thread[] ends = {new Thread(() -> source(pipe), "source-" + i), new Thread(() -> sink(pipe), "sink-" + i)};
            for (Thread t : ends) {
                t.setDaemon(true);
                t.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("bytes came out in another order");
        }
        System.out.println("DONE " + through);
    }
}
