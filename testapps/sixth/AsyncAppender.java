// @lock AsyncAppender$Buffer
// @type PRODUCER-CONSUMER+CONDITION capacity=12
// @role put AsyncAppender$Buffer.append
// @role take AsyncAppender$Buffer.next
// @role wait AsyncAppender$Buffer.flush
// @role notify AsyncAppender$Buffer.done

import java.util.LinkedList;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An asynchronous log: a bounded buffer to the writer thread, and a flush that waits until all logged before is written. */
public final class AsyncAppender {
    static final class Buffer {
        private final LinkedList<String> lines = new LinkedList<>();
        private final int limit;
        private long appended;
        private long written;

        Buffer(int limit) {
            this.limit = limit;
        }

        synchronized void append(String line) throws InterruptedException {
            while (lines.size() == limit) {
                wait();
            }
            lines.add(line);
            appended++;
            notifyAll();
        }

        synchronized String next() throws InterruptedException {
            while (lines.isEmpty()) {
                wait();
            }
            String line = lines.removeFirst();
            notifyAll();
            return line;
        }

        synchronized void done() {
            written++;
            notifyAll();
        }

        synchronized long flush() throws InterruptedException {
            long target = appended;
            while (written < target) {
                wait();
            }
            return target;
        }
    }

    private static final Buffer buffer = new Buffer(12);
    private static final ConcurrentHashMap<String, Integer> onDisk = new ConcurrentHashMap<>();
    private static final AtomicLong flushes = new AtomicLong();
    private static final AtomicLong logged = new AtomicLong();
    private static volatile Throwable fault;

    private static void service(String name) throws InterruptedException {
        for (int i = 1;; i++) {
            buffer.append(name + ":" + i);
            logged.incrementAndGet();
            if (i % 8 == 0) {
                buffer.flush();
                if (!Integer.valueOf(i).equals(onDisk.get(name))) {
                    throw new IllegalStateException(name + " flushed " + i + ", on disk is " + onDisk.get(name));
                }
                flushes.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 40));
            }
        }
    }

    private static void writer() throws InterruptedException {
        for (int i = 0;; i++) {
            String[] line = buffer.next().split(":");
            int number = Integer.parseInt(line[1]);
            Integer before = onDisk.put(line[0], number);
            if (number != (before == null ? 1 : before + 1)) {
                throw new IllegalStateException("lines out of order");
            }
            if (i % 3 == 0) {
                Thread.sleep(1);
            }
            buffer.done();
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static void start(Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                fault = e;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (String name : new String[] {"orders", "stock", "users", "mail"}) {
            start(() -> service(name));
        }
        start(AsyncAppender::writer);
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null || flushes.get() == 0) {
            throw new IllegalStateException("lost lines, or no flush", fault);
        }
        System.out.println("DONE " + logged);
    }
}
