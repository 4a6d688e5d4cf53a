// @lock GroupCommit$Commit
// @type LATCH count=3
// @role await GroupCommit$Commit.awaitDurable
// @role count-down GroupCommit$Commit.acknowledged

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A replicated store: a commit, new for each transaction, is durable when all three replicas have acknowledged it. */
public final class GroupCommit {
    static final class Commit {
        private int missing = 3;
        final AtomicInteger written = new AtomicInteger();

        synchronized void awaitDurable() throws InterruptedException {
            while (missing > 0) {
                wait();
            }
        }

        synchronized void acknowledged() {
            if (missing > 0 && --missing == 0) {
                notifyAll();
            }
        }
    }

    private static volatile boolean stop;
    private static volatile boolean lost;
    private static final AtomicLong commits = new AtomicLong();

    private static void replica(BlockingQueue<Commit> log) {
        try {
            while (true) {
                Commit c = log.take();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                c.written.incrementAndGet();
                c.acknowledged();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        List<BlockingQueue<Commit>> logs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            BlockingQueue<Commit> log = new LinkedBlockingQueue<>();
            logs.add(log);
            daemon("replica-" + i, () -> replica(log));
        }
        BlockingQueue<Commit> shadow = new LinkedBlockingQueue<>();
        daemon("shadow", () -> {
            try {
                while (true) {
                    Commit c = shadow.take();
                    c.awaitDurable();
                    lost |= c.written.get() != 3;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Thread[] clients = new Thread[3];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = daemon("client-" + i, () -> {
                try {
                    while (!stop) {
                        Commit c = new Commit();
                        for (BlockingQueue<Commit> log : logs) {
                            log.add(c);
                        }
                        shadow.add(c);
                        c.awaitDurable();
                        lost |= c.written.get() != 3;
                        commits.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
                    }
                } catch (InterruptedException e) {
                    lost = true;
                }
            });
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : clients) {
            t.join(5_000);
        }
        if (lost || commits.get() == 0) {
            throw new IllegalStateException("called durable too early");
        }
        System.out.println("DONE " + commits);
    }
}
