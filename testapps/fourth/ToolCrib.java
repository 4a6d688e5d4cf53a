// @lock ToolCrib$ToolQueue
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire ToolCrib$ToolQueue.poll
// @role release ToolCrib$ToolQueue.offer

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A crib of four tools, lent to eight mechanics; whoever wrote it called it a queue. */
public class ToolCrib {
    static class Tool {
        final AtomicBoolean used = new AtomicBoolean();
    }

    static class ToolQueue {
        private final Tool[] tools = new Tool[4];
        private int top;

        ToolQueue() {
            while (top < tools.length) {
                tools[top++] = new Tool();
            }
        }

        /** A tool, or null if none came back in time. */
        synchronized Tool poll(long timeoutMillis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + timeoutMillis;
            while (top == 0) {
                long remaining = deadline - System.currentTimeMillis();
                if (remaining <= 0) {
                    return null;
                }
                wait(remaining);
            }
            Tool tool = tools[--top];
            tools[top] = null;
            return tool;
        }

        synchronized void offer(Tool tool) {
            if (top == tools.length) {
                throw new IllegalStateException("that tool is not ours");
            }
            tools[top++] = tool;
            notify();
        }
    }

    static class Mechanic extends Thread {
        private final ToolQueue crib;

        Mechanic(ToolQueue crib, String name) {
            super(name);
            this.crib = crib;
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Tool tool = crib.poll(100);
                    if (tool == null) {
                        continue;
                    }
                    try {
                        if (!tool.used.compareAndSet(false, true)) {
                            quarrels.incrementAndGet();
                        }
                        sleep(ThreadLocalRandom.current().nextInt(2, 7));
                        tool.used.set(false);
                    } finally {
                        crib.offer(tool);
                    }
                    repairs.incrementAndGet();
                    sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static final AtomicLong repairs = new AtomicLong();
    static final AtomicLong quarrels = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ToolQueue crib = new ToolQueue();
        for (int i = 0; i < 8; i++) {
            Mechanic m = new Mechanic(crib, "mechanic-" + i);
            m.setDaemon(true);
            m.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (quarrels.get() > 0) {
            throw new IllegalStateException(quarrels + " tools in two hands");
        }
        System.out.println("DONE " + repairs);
    }
}
