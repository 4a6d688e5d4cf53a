// @lock MapRoom$Desk
// @type READ-WRITE preference=fair
// @role read-lock MapRoom$Desk.openShared
// @role read-unlock MapRoom$Desk.closeShared
// @role write-lock MapRoom$Desk.openAlone
// @role write-unlock MapRoom$Desk.closeAlone
// @lock MapRoom$Edition
// @type CONDITION
// @role wait MapRoom$Edition.newerThan
// @role notify MapRoom$Edition.publish

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Many study a map together, a draughtsman only alone, first come first served; and printers wait for new editions. */
public class MapRoom {

    static class Visitor {
        final boolean alone;
        private boolean admitted;

        Visitor(boolean alone) {
            this.alone = alone;
        }

        synchronized void admit() {
            admitted = true;
            notify();
        }
    }

    static class Desk {
        private final Deque<Visitor> line = new ArrayDeque<>();
        private int studying;
        private boolean drawing;

        void openShared() throws InterruptedException {
            Visitor v;
            synchronized (this) {
                if (!drawing && line.isEmpty()) {
                    studying++;
                    return;
                }
                line.addLast(v = new Visitor(false));
            }
            synchronized (v) {
                while (!v.admitted) {
                    v.wait();
                }
            }
        }

        void openAlone() throws InterruptedException {
            Visitor v;
            synchronized (this) {
                if (!drawing && studying == 0 && line.isEmpty()) {
                    drawing = true;
                    return;
                }
                line.addLast(v = new Visitor(true));
            }
            synchronized (v) {
                while (!v.admitted) {
                    v.wait();
                }
            }
        }

        synchronized void closeShared() {
            studying--;
            callNext();
        }

        synchronized void closeAlone() {
            drawing = false;
            callNext();
        }

        private void callNext() {
            while (!drawing && !line.isEmpty()) {
                if (line.peekFirst().alone) {
                    if (studying > 0) {
                        return;
                    }
                    drawing = true;
                } else {
                    studying++;
                }
                line.removeFirst().admit();
            }
        }
    }

    /** Numbered editions; who missed one simply takes the latest. */
    static class Edition {
        private int number;

        synchronized int newerThan(int known) throws InterruptedException {
            while (number <= known) {
                wait();
            }
            return number;
        }

        synchronized void publish() {
            number++;
            notifyAll();
        }
    }

    private final Desk desk = new Desk();
    private final Edition edition = new Edition();
    private int coast;
    private int rivers;
    private final AtomicLong looks = new AtomicLong();
    private volatile String fault;

    private void study() throws InterruptedException {
        desk.openShared();
        int c = coast;
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        if (c != rivers) {
            fault = "half a map: " + c + " and " + rivers;
        }
        desk.closeShared();
        looks.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
    }

    private void draw() throws InterruptedException {
        desk.openAlone();
        coast++;
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        rivers++;
        desk.closeAlone();
        edition.publish();
        Thread.sleep(ThreadLocalRandom.current().nextInt(8, 16));
    }

    private void print(int[] known) throws InterruptedException {
        int latest = edition.newerThan(known[0]);
        if (latest <= known[0]) {
            fault = "printed an old edition";
        }
        known[0] = latest;
        Thread.sleep(2);
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private void start(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (fault == null) {
                    step.run();
                }
            } catch (InterruptedException e) {
                fault = "interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        MapRoom room = new MapRoom();
        for (int i = 0; i < 4; i++) {
            room.start("student-" + i, room::study);
        }
        for (int i = 0; i < 2; i++) {
            room.start("draughtsman-" + i, room::draw);
        }
        for (int i = 0; i < 3; i++) {
            int[] known = {0};
            room.start("printer-" + i, () -> room.print(known));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (room.fault != null) {
            throw new IllegalStateException(room.fault);
        }
        System.out.println("DONE " + room.looks);
    }
}
