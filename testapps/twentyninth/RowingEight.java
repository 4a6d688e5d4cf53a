// @lock RowingEight$Boat
// @type BARRIER parties=4
// @role arrive RowingEight$Boat.stroke
// @lock RowingEight$Reading
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put RowingEight$Telemetry.send
// @role take RowingEight$Telemetry.receive

import java.util.Random;

/**
 * Despite the name a four. Nobody rows the next stroke before all have finished this one; each seat has a flag that
 * is turned over at every stroke. The seats' readings go to one listener on the bank through a hand-linked queue.
 */
public class RowingEight {
    static final int SEATS = 4;

    static class Boat {
        private final boolean[] blade = new boolean[SEATS];
        private boolean beat;

        synchronized void stroke(int seat) throws InterruptedException {
            boolean mine = !blade[seat];
            blade[seat] = mine;
            for (boolean other : blade) {
                if (other != mine) {
                    while (beat != mine) {
                        wait();
                    }
                    return;
                }
            }
            beat = mine;
            notifyAll();
        }
    }

    static class Reading {
        final int seat;
        final long stroke;
        Reading next;

        Reading(int seat, long stroke) {
            this.seat = seat;
            this.stroke = stroke;
        }
    }

    static class Telemetry {
        private final Reading dummy = new Reading(-1, -1);
        private Reading first = dummy;
        private Reading last = dummy;

        void send(Reading r) {
            synchronized (dummy) {
                last = last.next = r;
                dummy.notify();
            }
        }

        Reading receive() throws InterruptedException {
            synchronized (dummy) {
                while (first.next == null) {
                    dummy.wait();
                }
                first = first.next;
                return first;
            }
        }
    }

    static volatile String error;
    static final long[] done = new long[SEATS];
    static volatile long heard;

    static class Rower extends Thread {
        private final int seat;
        private final Boat boat;
        private final Telemetry radio;

        Rower(int seat, Boat boat, Telemetry radio) {
            super("seat-" + seat);
            this.seat = seat;
            this.boat = boat;
            this.radio = radio;
            setDaemon(true);
        }

        @Override
        public void run() {
            Random random = new Random(seat);
            try {
                for (long n = 1; error == null; n++) {
                    Thread.sleep(3 + random.nextInt(8));
                    done[seat] = n;
                    boat.stroke(seat);
                    // everybody has rowed stroke n; nobody can be past n + 1
                    for (int i = 0; i < SEATS; i++) {
                        if (done[i] != n && done[i] != n + 1) {
                            error = "seat " + i + " is at " + done[i] + ", seat " + seat + " at " + n;
                        }
                    }
                    radio.send(new Reading(seat, n));
                }
            } catch (InterruptedException e) {
                error = "interrupted";
            }
        }
    }

    static class Coach implements Runnable {
        private final Telemetry radio;

        Coach(Telemetry radio) {
            this.radio = radio;
        }

        public void run() {
            long[] seen = new long[SEATS];
            try {
                while (error == null) {
                    Reading r = radio.receive();
                    if (++seen[r.seat] != r.stroke) {
                        error = "lost a reading of seat " + r.seat;
                    }
                    heard++;
                }
            } catch (InterruptedException e) {
                error = "coach interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Boat boat = new Boat();
        Telemetry radio = new Telemetry();
        for (int i = 0; i < SEATS; i++) {
            new Rower(i, boat, radio).start();
        }
        Thread coach = new Thread(new Coach(radio), "coach");
        coach.setDaemon(true);
        coach.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        if (error != null) {
            System.err.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + heard);
    }
}
