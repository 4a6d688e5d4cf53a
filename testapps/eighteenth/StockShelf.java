// @lock StockShelf$Room
// @type READ-WRITE
// @role read-lock StockShelf$Access.startCounting
// @role read-unlock StockShelf$Access.stopCounting
// @role write-lock StockShelf$Access.startFilling
// @role write-unlock StockShelf$Access.stopFilling

import java.util.concurrent.atomic.AtomicLong;

/** Stock taking after the first published readers-writers solution: a head count under one monitor, the room under another. */
public class StockShelf {
    static volatile String wrong;
    static final AtomicLong COUNTS = new AtomicLong();

    static class Room {
        private boolean taken;

        synchronized void enter() throws InterruptedException {
            while (taken) {
                wait();
            }
            taken = true;
        }

        synchronized void exit() {
            taken = false;
            notify();
        }
    }

    static class Access {
        private final Object headCount = new Object();
        private final Room room = new Room();
        private int counting;

        void startCounting() throws InterruptedException {
            synchronized (headCount) {
                if (counting == 0) {
                    room.enter();
                }
                counting++;
            }
        }

        void stopCounting() {
            synchronized (headCount) {
                if (--counting == 0) {
                    room.exit();
                }
            }
        }

        void startFilling() throws InterruptedException {
            synchronized (room) {
                room.enter();
            }
        }

        void stopFilling() {
            synchronized (room) {
                room.exit();
            }
        }
    }

    static class Clerk extends Thread {
        private final Access access;
        private final int[] shelf;
        private final boolean fills;

        Clerk(String name, Access a, int[] shelf, boolean fills) {
            super(name);
            setDaemon(true);
            access = a;
            this.shelf = shelf;
            this.fills = fills;
        }

        private void fill() throws InterruptedException {
            access.startFilling();
            try {
                shelf[0]++;
                Thread.sleep(3);
                shelf[1]++;
            } finally {
                access.stopFilling();
            }
            Thread.sleep(4);
        }

        private void count() throws InterruptedException {
            access.startCounting();
            try {
                int a = shelf[0];
                Thread.sleep(2);
                if (a != shelf[1]) {
                    wrong = "miscounted";
                }
            } finally {
                access.stopCounting();
            }
            COUNTS.incrementAndGet();
            Thread.sleep(6);
        }

        @Override
        public void run() {
            try {
                while (wrong == null) {
                    if (fills) {
                        fill();
                    } else {
                        count();
                    }
                }
            } catch (InterruptedException e) {
                wrong = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Access access = new Access();
        int[] shelf = new int[2];
        for (int i = 0; i < 4; i++) {
            new Clerk("counter-" + i, access, shelf, false).start();
        }
        new Clerk("filler-0", access, shelf, true).start();
        new Clerk("filler-1", access, shelf, true).start();
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && wrong == null) {
            Thread.sleep(50);
        }
        if (wrong != null) {
            System.out.println(wrong);
            System.exit(1);
        }
        System.out.println("DONE " + COUNTS);
    }
}
