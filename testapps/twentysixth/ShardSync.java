// @lock ShardSync$Checkpoint
// @type BARRIER parties=3
// @role arrive ShardSync$Rendezvous.meet
//
// @lock ShardSync$Journal
// @type LOCK reentrant=false
// @role lock ShardSync$Journal.open
// @role unlock ShardSync$Journal.close

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Three shards that take a common checkpoint now and again, and a journal written by one at a time. */
public class ShardSync {

    /** What is done by the last who comes is a matter of the subclass. */
    abstract static class Rendezvous {
        private int expected = parties();
        private long round;

        abstract int parties();

        abstract void complete(long round);

        synchronized long meet() throws InterruptedException {
            long mine = round;
            expected--;
            if (expected == 0) {
                complete(mine);
                expected = parties();
                round++;
                notifyAll();
                return mine;
            }
            while (mine == round) {
                wait();
            }
            return mine;
        }
    }

    static final class Checkpoint extends Rendezvous {
        private final Shard[] shards;

        Checkpoint(Shard[] shards) {
            this.shards = shards;
        }

        @Override int parties() {
            return 3;
        }

        @Override void complete(long round) {
            for (Shard s : shards) {
                if (s.step != round) {
                    fault = s.getName() + " is at " + s.step + ", not at " + round;
                }
            }
        }
    }

    static final class Journal {
        private boolean open;
        private Thread writer;
        private String half;

        synchronized void open() throws InterruptedException {
            if (writer == Thread.currentThread()) {
                throw new IllegalStateException("already open");
            }
            while (open) {
                wait();
            }
            open = true;
            writer = Thread.currentThread();
        }

        synchronized void close() {
            if (writer != Thread.currentThread()) {
                throw new IllegalStateException("not the writer");
            }
            writer = null;
            open = false;
            notify();
        }

        void append(String line) throws InterruptedException {
            if (half != null) {
                fault = "line within a line";
            }
            half = line;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            half = null;
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final Journal JOURNAL = new Journal();

    static void log(String line) throws InterruptedException {
        JOURNAL.open();
        try {
            JOURNAL.append(line);
        } finally {
            JOURNAL.close();
        }
        OPS.incrementAndGet();
    }

    static final class Shard extends Thread {
        private final Rendezvous[] common;
        volatile long step;

        Shard(String name, Rendezvous[] common) {
            super(name);
            this.common = common;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                while (true) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    long r = common[0].meet();
                    if (r != step) {
                        fault = getName() + " met in " + r;
                    }
                    step++;
                    log(getName() + " " + step);
                }
            } catch (InterruptedException e) {
                fault = getName() + " interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int g = 0; g < 2; g++) {
            Rendezvous[] common = new Rendezvous[1];
            Shard[] shards = new Shard[3];
            for (int i = 0; i < shards.length; i++) {
                shards[i] = new Shard("shard-" + g + "-" + i, common);
            }
            common[0] = new Checkpoint(shards);
            for (Shard s : shards) {
                s.start();
            }
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(5);
            log("clock");
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
