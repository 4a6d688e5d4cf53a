// @lock RpcMux$Replies
// @type CONDITION
// @role wait RpcMux$Replies.await
// @role notify RpcMux$Replies.arrived

// @lock RpcMux$Window
// @type SEMAPHORE permits=6
// @role acquire RpcMux$Window.credit
// @role release RpcMux$Window.grant

// @lock RpcMux$Wire
// @type MUTEX
// @role enter RpcMux$Wire.write

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Many calls over one connection: a window of six, frames written one at a time, replies told apart by their numbers. */
public class RpcMux {
    static final class Replies {
        private final Map<Integer, String> byId = new HashMap<>();

        synchronized void arrived(int id, String body) {
            byId.put(id, body);
            notifyAll();
        }

        synchronized String await(int id, long timeout) throws InterruptedException, java.io.IOException {
            long end = System.currentTimeMillis() + timeout;
            String s;
            while ((s = byId.remove(id)) == null) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    throw new java.io.IOException("call " + id + " timed out");
                }
                wait(left);
            }
            return s;
        }
    }

    static final class Window {
        private int credits = 6;

        synchronized void credit() throws InterruptedException {
            while (credits <= 0) {
                wait();
            }
            credits--;
        }

        synchronized void grant(int n) {
            credits += n;
            notifyAll();
        }
    }

    static final class Wire {
        private final Queue<Integer> peer = new java.util.concurrent.ConcurrentLinkedQueue<>();
        private long bytes;

        void write(int id) throws InterruptedException {
            synchronized (this) {
                bytes += 100;
                Thread.sleep(1);
                peer.add(id);
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
        Replies replies = new Replies();
        Window window = new Window();
        Wire wire = new Wire();
        AtomicInteger ids = new AtomicInteger();
        for (int i = 0; i < 9; i++) {
            loop("stub-" + i, () -> {
                int id = ids.incrementAndGet();
                window.credit();
                wire.write(id);
                check(replies.await(id, 30_000).equals("r" + id), "another's reply");
            });
        }
        loop("reader", () -> {
            Integer id = wire.peer.poll();
            if (id == null) {
                Thread.sleep(1);
            } else {
                pause(1, 3);
                window.grant(1);
                replies.arrived(id, "r" + id);
            }
        });
        finish(args);
    }
}
