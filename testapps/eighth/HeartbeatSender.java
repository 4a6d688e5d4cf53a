// @lock HeartbeatSender$Heartbeat
// @type DELAY
// @role delay HeartbeatSender$Periodic.pause

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** The nodes of a cluster send a sign of life every few milliseconds; between two of them they sleep on themselves. */
public class HeartbeatSender {

    /** Something done again and again. */
    abstract static class Periodic implements Runnable {
        private final int interval;
        private volatile boolean cancelled;

        protected Periodic(int interval) {
            this.interval = interval;
        }

        protected abstract void once();

        public final void cancel() {
            cancelled = true;
        }

        public final void run() {
            while (!cancelled) {
                once();
                pause();
            }
        }

        private synchronized void pause() {
            try {
                wait(interval);
            } catch (InterruptedException e) {
                cancelled = true;
            }
        }
    }

    static class Heartbeat extends Periodic {
        private final int node;
        private final AtomicLongArray seen;
        private final AtomicLong sent;

        Heartbeat(int node, AtomicLongArray seen, AtomicLong sent) {
            super(2 + node);
            this.node = node;
            this.seen = seen;
            this.sent = sent;
        }

        @Override
        protected void once() {
            seen.set(node, System.nanoTime());
            sent.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AtomicLongArray seen = new AtomicLongArray(4);
        AtomicLong sent = new AtomicLong();
        Heartbeat[] nodes = new Heartbeat[4];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i++) {
            nodes[i] = new Heartbeat(i, seen, sent);
            threads[i] = new Thread(nodes[i], "node-" + i);
            threads[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        boolean silent = false;
        for (long s = 0; s < seconds; s++) {
            Thread.sleep(1000);
            for (int i = 0; i < 4; i++) {
                silent |= System.nanoTime() - seen.get(i) > 30_000_000_000L;
            }
        }
        for (int i = 0; i < 4; i++) {
            nodes[i].cancel();
            threads[i].join();
        }
        if (silent || sent.get() == 0) {
            System.err.println("a node was silent");
            System.exit(1);
        }
        System.out.println("DONE " + sent);
    }
}
