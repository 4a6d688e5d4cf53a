// @lock WaitingRoom
// @type PRODUCER-CONSUMER
// @role put WaitingRoom.sitDown
// @role take WaitingRoom.callNext
// @lock Visit
// @type LATCH count=1
// @role await Visit.awaitTreated
// @role count-down Visit.treated

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/** The sleeping barber as a walk-in clinic: doctors rest until somebody sits down; who finds no chair goes away. */
public class WalkInClinic {
    static final AtomicLong TREATED = new AtomicLong();
    static final AtomicLong TURNED_AWAY = new AtomicLong();
    static volatile String failure;

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final WaitingRoom room = new WaitingRoom();
        for (int d = 0; d < 2; d++) {
            Thread doctor = new Thread("doctor-" + d) {
                @Override
                public void run() {
                    practise(room);
                }
            };
            doctor.setDaemon(true);
            doctor.start();
        }
        for (int p = 0; p < 6; p++) {
            final int rest = 3 + p;
            Thread patient = new Thread("patient-" + p) {
                @Override
                public void run() {
                    beIll(room, rest);
                }
            };
            patient.setDaemon(true);
            patient.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (failure == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (failure != null) {
            System.out.println("FAILED: " + failure);
            System.exit(1);
        }
        System.out.println("DONE " + TREATED);
    }

    static void practise(WaitingRoom room) {
        try {
            for (;;) {
                Visit v = room.callNext();
                if (v.result != 0) {
                    failure = "patient treated twice";
                }
                Thread.sleep(2);
                v.result = v.complaint * 2;
                v.treated();
            }
        } catch (InterruptedException e) {
            failure = "doctor called away";
        }
    }

    static void beIll(WaitingRoom room, int rest) {
        int n = 0;
        try {
            for (;;) {
                Visit v = new Visit(++n);
                if (room.sitDown(v)) {
                    v.awaitTreated();
                    if (v.result != v.complaint * 2) {
                        failure = "left untreated";
                    }
                    TREATED.incrementAndGet();
                } else {
                    TURNED_AWAY.incrementAndGet();
                }
                Thread.sleep(rest);
            }
        } catch (InterruptedException e) {
            failure = "patient interrupted";
        }
    }
}

class WaitingRoom {
    private static final int CHAIRS = 4;
    private final Deque<Visit> chairs = new ArrayDeque<>();

    synchronized boolean sitDown(Visit v) {
        if (chairs.size() >= CHAIRS) {
            return false;
        }
        chairs.addLast(v);
        notify();
        return true;
    }

    synchronized Visit callNext() throws InterruptedException {
        while (chairs.isEmpty()) {
            wait();
        }
        return chairs.removeFirst();
    }
}

class Visit {
    final int complaint;
    volatile int result;
    private boolean over;

    Visit(int c) {
        complaint = c;
    }

    synchronized void treated() {
        over = true;
        notifyAll();
    }

    synchronized void awaitTreated() throws InterruptedException {
        while (!over) {
            wait();
        }
    }
}
