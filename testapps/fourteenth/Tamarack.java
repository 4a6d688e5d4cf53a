// A semaphore that hands its permits straight to the longest waiting thread, each on a node of its own; and a plain mutex.
// @lock Tamarack$Turnstile
// @type SEMAPHORE permits=2
// @role acquire Tamarack$Turnstile.pass
// @role release Tamarack$Turnstile.leave
// @lock Tamarack$Tally
// @type MUTEX
// @role enter Tamarack$Tally.add
// @role enter Tamarack$Tally.check
import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Tamarack {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Turnstile {
        private static final class Ticket {
            boolean granted;
        }

        private final LinkedList<Ticket> line = new LinkedList<>();
        private int spare;

        Turnstile(int spare) {
            this.spare = spare;
        }

        void pass() throws InterruptedException {
            Ticket mine;
            synchronized (this) {
                if (spare > 0) {
                    spare--;
                    return;
                }
                mine = new Ticket();
                line.addLast(mine);
            }
            synchronized (mine) {
                while (!mine.granted) {
                    mine.wait();
                }
            }
        }

        void leave() {
            Ticket next;
            synchronized (this) {
                next = line.pollFirst();
                if (next == null) {
                    spare++;
                    return;
                }
            }
            synchronized (next) {
                next.granted = true;
                next.notify();
            }
        }
    }

    static final class Tally {
        private final long[] perVisitor = new long[7];
        private long total;

        synchronized void add(int who) throws InterruptedException {
            perVisitor[who]++;
            Thread.sleep(1); // the book is written to disk
            total++;
        }

        synchronized boolean check() throws InterruptedException {
            long s = 0;
            for (long p : perVisitor) {
                s += p;
            }
            Thread.sleep(1);
            return s == total;
        }
    }

    final Turnstile turnstile = new Turnstile(2);
    final Tally tally = new Tally();
    final AtomicInteger inside = new AtomicInteger();

    void visit(int who) throws InterruptedException {
        turnstile.pass();
        if (inside.incrementAndGet() > 2) {
            broken = "more than two inside";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        inside.decrementAndGet();
        turnstile.leave();
        tally.add(who);
        OPS.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    void audit() throws InterruptedException {
        if (!tally.check()) {
            broken = "tally does not add up";
        }
        Thread.sleep(5);
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Tamarack park = new Tamarack();
        for (int i = 0; i <= 7; i++) {
            final int who = i;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        if (who < 7) {
                            park.visit(who);
                        } else {
                            park.audit();
                        }
                    }
                } catch (InterruptedException e) {
                    broken = "interrupted";
                }
            }, who < 7 ? "visitor-" + who : "auditor");
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
