// @lock SeatBarrier$Seat
// @type BARRIER parties=4
// @role arrive SeatBarrier$Rendezvous.arrive
//
// Composite: a book of arrivals, and a seat for each thread that waits. The last thread to arrive opens the seats one by one.

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Four robots of an assembly cell that begin every operation together. */
public final class SeatBarrier {
    private static final class Seat {
        boolean released;
    }

    static final class Rendezvous {
        private final int parties;
        private final Object book = new Object();
        private List<Seat> seated = new ArrayList<>();

        Rendezvous(int parties) {
            this.parties = parties;
        }

        void arrive() throws InterruptedException {
            Seat mine = new Seat();
            List<Seat> complete = null;
            synchronized (book) {
                if (seated.size() == parties - 1) {
                    complete = seated;
                    seated = new ArrayList<>();
                } else {
                    seated.add(mine);
                }
            }
            if (complete == null) {
                synchronized (mine) {
                    while (!mine.released) {
                        mine.wait();
                    }
                }
            } else {
                for (Seat seat : complete) {
                    synchronized (seat) {
                        seat.released = true;
                        seat.notify();
                    }
                }
            }
        }
    }

    private static final AtomicIntegerArray operation = new AtomicIntegerArray(4);
    private static final AtomicLong operations = new AtomicLong();
    private static volatile String failure;

    private static void work(int robot, Rendezvous rendezvous) {
        Random random = new Random(robot);
        try {
            for (;;) {
                Thread.sleep(1 + random.nextInt(3));
                int mine = operation.incrementAndGet(robot);
                rendezvous.arrive();
                for (int other = 0; other < 4; other++) {
                    int his = operation.get(other);
                    if (his != mine && his != mine + 1) {
                        failure = "robot " + robot + " is at " + mine + ", robot " + other + " at " + his;
                    }
                }
                operations.incrementAndGet();
            }
        } catch (InterruptedException e) {
            failure = e.toString();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Rendezvous rendezvous = new Rendezvous(4);
        for (int i = 0; i < 4; i++) {
            int robot = i;
            Thread thread = new Thread(() -> work(robot, rendezvous), "robot-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + operations);
    }
}
