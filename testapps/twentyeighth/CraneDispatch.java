// @lock CraneDispatch$Berths
// @type SEMAPHORE permits=3
// @role acquire CraneDispatch$Berths.moor
// @role release CraneDispatch$Berths.castOff
// @lock CraneDispatch$Gang
// @type JOIN
// @role join CraneDispatch.unload

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Ships queue for three berths, first come first served; some lose patience. A gang unloads each ship that is moored. */
public final class CraneDispatch {
    /** A berth given up goes straight to the ship that waits longest. */
    static final class Berths {
        private static final class Ticket {
            private boolean called;

            synchronized boolean awaitCall(long patience) throws InterruptedException {
                long end = System.nanoTime() + patience * 1_000_000;
                while (!called) {
                    long left = (end - System.nanoTime()) / 1_000_000;
                    if (left <= 0) {
                        return false;
                    }
                    wait(left);
                }
                return true;
            }

            synchronized void call() {
                called = true;
                notify();
            }
        }

        private final Deque<Ticket> line = new ArrayDeque<>();
        private int free;

        Berths(int n) {
            free = n;
        }

        /** @return false if no berth was found in time */
        boolean moor(long patience) throws InterruptedException {
            Ticket ticket;
            synchronized (this) {
                if (free > 0) {
                    free--;
                    return true;
                }
                ticket = new Ticket();
                line.addLast(ticket);
            }
            if (ticket.awaitCall(patience)) {
                return true;
            }
            synchronized (this) {
                return !line.remove(ticket);        // not in the line: called at the last moment
            }
        }

        void castOff() {
            Ticket next;
            synchronized (this) {
                next = line.pollFirst();
                if (next == null) {
                    free++;
                    return;
                }
            }
            next.call();
        }
    }

    /** Dockers who clear one ship and go home. */
    static final class Gang extends Thread {
        private int containers;

        Gang(int ship) {
            super("gang-of-" + ship);
            setDaemon(true);
        }

        @Override
        public void run() {
            for (int i = 0; i < 4; i++) {
                try {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3, 6));
                } catch (InterruptedException e) {
                    return;
                }
                containers++;
            }
        }
    }

    private final Berths berths = new Berths(3);
    private final AtomicInteger moored = new AtomicInteger();
    private final AtomicLong unloaded = new AtomicLong();
    private final AtomicLong turnedAway = new AtomicLong();
    private volatile String trouble;
    private volatile boolean closed;

    private int unload(int ship) throws InterruptedException {
        Gang gang = new Gang(ship);
        gang.start();
        synchronized (gang) {
            while (gang.isAlive()) {
                gang.wait();
            }
        }
        return gang.containers;
    }

    private void sail(int ship) {
        try {
            while (!closed) {
                if (berths.moor(ship == 0 ? 15 : 4_000)) {
                    if (moored.incrementAndGet() > 3) {
                        trouble = "four ships at three berths";
                    }
                    if (unload(ship) != 4) {
                        trouble = "the gang left early";
                    }
                    unloaded.incrementAndGet();
                    moored.decrementAndGet();
                    berths.castOff();
                } else {
                    turnedAway.incrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
            }
        } catch (InterruptedException e) {
            trouble = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        CraneDispatch port = new CraneDispatch();
        Thread[] ships = new Thread[6];
        for (int i = 0; i < ships.length; i++) {
            int ship = i;
            ships[i] = new Thread(() -> port.sail(ship), "ship-" + i);
            ships[i].setDaemon(true);
            ships[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        port.closed = true;
        for (Thread t : ships) {
            t.join(10_000);
        }
        if (port.trouble != null || port.moored.get() != 0) {
            System.out.println("FAILED " + port.trouble + ", moored " + port.moored);
            System.exit(1);
        }
        System.out.println("DONE " + port.unloaded + " (" + port.turnedAway + " turned away)");
    }
}
