// @lock FreightLedger$Gatehouse
// @type READ-WRITE reentrant=false
// @role read-lock FreightLedger$Gatehouse.look
// @role read-unlock FreightLedger$Gatehouse.looked
// @role write-lock FreightLedger$Gatehouse.edit
// @role write-unlock FreightLedger$Gatehouse.edited
//
// @lock FreightLedger$Journal
// @type MUTEX
// @role enter FreightLedger$Journal.append
// @role enter FreightLedger$Journal.rotate

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A railway's freight ledger behind a gatehouse of two doors: who wants to edit stands in the outer door until the room is empty. */
public class FreightLedger {
    static final class Gatehouse {
        private static final class Room {
            int lookers;
            boolean edited;
        }

        private final Room room = new Room();

        void look() throws InterruptedException {
            synchronized (this) {
                synchronized (room) {
                    while (room.edited) {
                        room.wait();
                    }
                    room.lookers++;
                }
            }
        }

        void looked() {
            synchronized (room) {
                room.lookers--;
                if (room.lookers == 0) {
                    room.notify();
                }
            }
        }

        void edit() throws InterruptedException {
            synchronized (this) {
                synchronized (room) {
                    while (room.edited || room.lookers > 0) {
                        room.wait();
                    }
                    room.edited = true;
                }
            }
        }

        void edited() {
            synchronized (room) {
                room.edited = false;
                room.notify();
            }
        }
    }

    static final class Journal {
        private List<String> lines = new ArrayList<>();
        private long written;
        private long rotated;

        void append(String who, int tons) throws InterruptedException {
            synchronized (this) {
                lines.add(who + ' ' + tons);
                Thread.sleep(1);
                written++;
            }
        }

        synchronized boolean rotate() {
            rotated += lines.size();
            lines = new ArrayList<>();
            return rotated == written;
        }
    }

    static final class Wagon {
        int gross;
        int tare;
        int net;
    }

    static final Wagon[] TRAIN = new Wagon[12];
    static final AtomicLong OPS = new AtomicLong();
    static volatile String derailment;

    static void inspect(Gatehouse g, Journal j, String name) throws InterruptedException {
        int tons = 0;
        g.look();
        try {
            for (Wagon w : TRAIN) {
                if (w.gross - w.tare != w.net) {
                    derailment = "a wagon half weighed";
                }
                tons += w.net;
            }
            Thread.sleep(2);
        } finally {
            g.looked();
        }
        j.append(name, tons);
    }

    static void weigh(Gatehouse g, Journal j) throws InterruptedException {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        Wagon w = TRAIN[r.nextInt(TRAIN.length)];
        g.edit();
        try {
            w.gross = r.nextInt(40, 90);
            Thread.sleep(2);
            w.tare = r.nextInt(15, 25);
            w.net = w.gross - w.tare;
        } finally {
            g.edited();
        }
        if (!j.rotate()) {
            derailment = "lines lost";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < TRAIN.length; i++) {
            TRAIN[i] = new Wagon();
        }
        Gatehouse gate = new Gatehouse();
        Journal journal = new Journal();
        for (int i = 0; i < 6; i++) {
            boolean scale = i >= 4;
            Thread t = new Thread(() -> {
                try {
                    while (derailment == null) {
                        if (scale) {
                            weigh(gate, journal);
                        } else {
                            inspect(gate, journal, Thread.currentThread().getName());
                        }
                        OPS.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
                    }
                } catch (InterruptedException e) {
                    derailment = "interrupted";
                }
            }, (scale ? "scale-" : "inspector-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (derailment == null && System.nanoTime() < end) {
            Thread.sleep(50);
        }
        if (derailment != null) {
            System.out.println(derailment);
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
        System.exit(0);
    }
}
