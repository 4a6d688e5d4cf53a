// Four parsers lent to seven request threads; what they parse is a dictionary that is read by many and revised by one.
// @lock java.util.ArrayDeque#lend
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire ParserPool$Parsers.lend
// @role release ParserPool$Parsers.giveBack
// @lock ParserPool$Dictionary
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock ParserPool$Dictionary.open
// @role write-lock ParserPool$Dictionary.revise
// @role write-lock ParserPool$Dictionary.tryRevise
// @role read-unlock ParserPool$Dictionary.close
// @role write-unlock ParserPool$Dictionary.close
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class ParserPool {
    static class Parser {
        private final char[] buffer = new char[256];
        private final AtomicLong users = new AtomicLong();

        int parse(int length) throws InterruptedException {
            check(users.incrementAndGet() == 1, "parser used twice");
            Arrays.fill(buffer, 0, length, 'x');
            nap(2, 6);
            users.decrementAndGet();
            return length;
        }
    }

    static class Parsers {
        private final Deque<Parser> idle = new ArrayDeque<>();

        Parsers(int n) { while (n-- > 0) idle.push(new Parser()); }

        Parser lend() throws InterruptedException {
            synchronized (idle) {
                while (idle.isEmpty()) idle.wait();
                return idle.pop();
            }
        }

        void giveBack(Parser p) {
            synchronized (idle) {
                idle.push(p);
                idle.notify();
            }
        }
    }

    static class Dictionary {
        private int state;      // readers, or -1
        int words, entries;     // equal whenever nobody revises

        synchronized void open() throws InterruptedException {
            while (state < 0) wait();
            state++;
        }

        synchronized void revise() throws InterruptedException {
            while (state != 0) wait();
            state = -1;
        }

        synchronized boolean tryRevise(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis, left = millis;
            while (state != 0) {
                if (left <= 0) return false;
                wait(left);
                left = end - System.currentTimeMillis();
            }
            state = -1;
            return true;
        }

        synchronized void close() {
            if (state == 0) throw new IllegalStateException("not open");
            state += state < 0 ? 1 : -1;
            if (state == 0) notifyAll();
        }
    }

    static final AtomicLong OPS = new AtomicLong();
    static volatile String bad;

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok) bad = what; }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    body.run();
                    OPS.incrementAndGet();
                }
            } catch (Exception | Error e) {
                e.printStackTrace();
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    /** Watches over the run: failures, and standstill for twenty seconds. */
    static void supervise(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(100);
            long now = OPS.get();
            still = now == seen ? still + 1 : 0;
            seen = now;
            check(still < 200, "standstill");
        }
        System.out.println(bad == null ? "DONE " + OPS.get() : "FAILED " + bad);
        System.out.flush();
        System.exit(bad == null ? 0 : 1);
    }
    public static void main(String[] args) throws Exception {
        Parsers parsers = new Parsers(4);
        Dictionary dict = new Dictionary();
        for (int i = 0; i < 7; i++)
            spawn("request-" + i, () -> {
                Parser p = parsers.lend();
                try {
                    p.parse(ThreadLocalRandom.current().nextInt(256));
                    if (ThreadLocalRandom.current().nextBoolean()) {
                        dict.open();
                        try {
                            check(dict.words == dict.entries, "half a revision");
                            nap(0, 2);
                        } finally {
                            dict.close();
                        }
                    }
                } finally {
                    parsers.giveBack(p);
                }
                nap(0, 2);
            });
        for (int i = 0; i < 2; i++) {
            boolean patient = i == 0;
            spawn("editor-" + i, () -> {
                if (patient) dict.revise();
                else if (!dict.tryRevise(25)) return;
                dict.words++;
                nap(2, 4);
                dict.entries++;
                dict.close();
                nap(3, 10);
            });
        }
        supervise(args);
    }
}
