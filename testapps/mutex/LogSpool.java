// @lock java.lang.Object#append
// @type MUTEX
// @role enter LogSpool.append
// @role enter LogSpool.rotate

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A log that request threads append to and a housekeeper rotates; both under one private lock object. */
public final class LogSpool {
    private final Object mutex = new Object();
    private List<String> current = new ArrayList<>();
    private long appended;
    private long archived;

    private volatile boolean stopping;

    void append(String line) throws InterruptedException {
        String stamped = System.nanoTime() + " " + Thread.currentThread().getName() + " " + line;
        synchronized (mutex) {
            current.add(stamped);
            appended++;
            if (current.size() % 5 == 0) {
                flush();
            }
        }
    }

    /** Called with the mutex held. */
    private void flush() throws InterruptedException {
        Thread.sleep(1);
    }

    int rotate() {
        List<String> old;
        synchronized (mutex) {
            old = current;
            current = new ArrayList<>();
            archived += old.size();
        }
        return compress(old);
    }

    private static int compress(List<String> lines) {
        int hash = 0;
        for (String s : lines) {
            hash = 31 * hash + s.hashCode();
        }
        return hash;
    }

    private Thread start(String name, boolean writer) {
        Thread t = new Thread(() -> {
            try {
                while (!stopping) {
                    if (writer) {
                        append("handled request " + ThreadLocalRandom.current().nextInt(1000));
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    } else {
                        rotate();
                        Thread.sleep(20);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long millis = 1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600);
        LogSpool log = new LogSpool();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            all.add(log.start("http-" + i, true));
        }
        all.add(log.start("housekeeper", false));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(millis);
        log.stopping = true;
        for (Thread t : all) {
            t.join(5_000);
        }
        log.rotate();
        if (log.appended != log.archived) {
            throw new IllegalStateException(log.appended + " lines in, " + log.archived + " lines out");
        }
        System.out.println("DONE " + log.appended);
    }
}
