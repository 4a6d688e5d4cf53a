// @lock EditLog$Buffers
// @type PRODUCER-CONSUMER capacity=16
// @role put EditLog$Buffers.write
// @role take EditLog$Buffers.swap

// @lock EditLog$Roll
// @type LOCK reentrant=false
// @role lock EditLog$Roll.begin
// @role unlock EditLog$Roll.end

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A journal with two buffers of sixteen records: one is filled while the other is written; a segment is rolled by one thread at a time. */
public class EditLog {
    static final class Buffers {
        private int[] current = new int[16];
        private int[] ready = new int[16];
        private int fill;

        synchronized void write(int record) throws InterruptedException {
            while (fill == current.length) {
                wait();
            }
            current[fill++] = record;
            notifyAll();
        }

        synchronized int[] swap() throws InterruptedException {
            while (fill == 0) {
                wait();
            }
            int[] full = current;
            int n = fill;
            current = ready;
            ready = full;
            fill = 0;
            notifyAll();
            return Arrays.copyOf(full, n);
        }
    }

    static final class Roll {
        private volatile boolean rolling;

        void begin() throws InterruptedException {
            synchronized (this) {
                while (rolling) {
                    wait();
                }
                rolling = true;
            }
        }

        void end() {
            synchronized (this) {
                rolling = false;
                notifyAll();
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Buffers buffers = new Buffers();
        Roll roll = new Roll();
        AtomicInteger rollers = new AtomicInteger();
        AtomicLong in = new AtomicLong();
        AtomicLong out = new AtomicLong();
        for (int i = 0; i < 4; i++) {
            loop("handler-" + i, () -> {
                for (int k = 0; k < 10; k++) {
                    in.incrementAndGet();
                    buffers.write(k);
                }
                pause(2, 8);
                roll.begin();
                try {
                    check(rollers.incrementAndGet() == 1, "rolled twice");
                    pause(1, 3);
                } finally {
                    rollers.decrementAndGet();
                    roll.end();
                }
            });
        }
        loop("syncer", () -> {
            int n = buffers.swap().length;
            check(out.addAndGet(n) <= in.get(), "made up");
            pause(2, 6);
        });
        finish(args);
    }
}
