// @lock ReadingRoom$Shelf
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock ReadingRoom$Shelf.beginReading
// @role read-unlock ReadingRoom$Shelf.endReading
// @role write-lock ReadingRoom$Shelf.beginSorting
// @role write-unlock ReadingRoom$Shelf.endSorting
//
// @lock ReadingRoom$Visits
// @type MUTEX
// @role enter ReadingRoom$Visits.note
// @role enter ReadingRoom$Visits.consistent

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A shelf that visitors read from together and librarians sort alone; a visitors' book beside it. */
public class ReadingRoom {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    static class Shelf {
        private int readers;
        private int waitingSorters;
        private boolean sorting;

        synchronized void beginReading() throws InterruptedException {
            while (sorting || waitingSorters > 0) {
                wait();
            }
            readers++;
        }

        synchronized void endReading() {
            if (--readers == 0) {
                notifyAll();
            }
        }

        synchronized void beginSorting() throws InterruptedException {
            waitingSorters++;
            try {
                while (sorting || readers > 0) {
                    wait();
                }
                sorting = true;
            } finally {
                waitingSorters--;
            }
        }

        synchronized void endSorting() {
            sorting = false;
            notifyAll();
        }
    }

    static class Visits {
        private final int[] perHour = new int[24];
        private int total;

        void note(int hour) throws InterruptedException {
            synchronized (this) {
                perHour[hour]++;
                nap(1, 1);
                total++;
            }
        }

        boolean consistent() {
            synchronized (this) {
                return Arrays.stream(perHour).sum() == total;
            }
        }
    }

    private final Shelf shelf = new Shelf();
    private final Visits visits = new Visits();
    private int left = 100;
    private int right;

    void visit() throws InterruptedException {
        shelf.beginReading();
        try {
            int a = left;
            nap(2, 5);
            check(a + right == 100, "read a half-sorted shelf");
        } finally {
            shelf.endReading();
        }
        visits.note(ThreadLocalRandom.current().nextInt(24));
        nap(1, 4);
    }

    void sort() throws InterruptedException {
        shelf.beginSorting();
        try {
            int moved = ThreadLocalRandom.current().nextInt(100);
            left = moved;
            nap(1, 2);
            right = 100 - moved;
        } finally {
            shelf.endSorting();
        }
        nap(8, 20);
        check(visits.consistent(), "the visitors' book is wrong");
    }

    public static void main(String[] args) throws InterruptedException {
        ReadingRoom room = new ReadingRoom();
        for (int i = 0; i < 5; i++) {
            loop("visitor-" + i, room::visit);
        }
        for (int i = 0; i < 2; i++) {
            loop("librarian-" + i, room::sort);
        }
        finish(args);
    }
}
