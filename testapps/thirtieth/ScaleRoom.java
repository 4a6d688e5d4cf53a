// @lock ScaleRoom
// @type SEMAPHORE+MUTEX permits=2
// @role acquire ScaleRoom.stepOn
// @role release ScaleRoom.stepOff
// @role enter ScaleRoom.entry
// @role enter ScaleRoom.audit

// @lock ScaleRoom$Handover
// @type BARRIER parties=6
// @role arrive ScaleRoom$Handover.meet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Two scales for six goods-in clerks; the weighing book lies on the same desk (monitor). After every ten pallets the whole shift meets. */
public class ScaleRoom {
    private int scalesFree = 2;

    private long bookedPallets;
    private long bookedWeight;
    private long lastWeight;

    void stepOn() throws InterruptedException {
        synchronized (this) {
            while (scalesFree == 0) {
                this.wait();
            }
            scalesFree--;
        }
    }

    void stepOff() {
        synchronized (this) {
            scalesFree++;
            this.notify();
        }
    }

    synchronized void entry(int weight) throws InterruptedException {
        bookedPallets++;
        lastWeight = weight;
        Thread.sleep(1);
        bookedWeight += lastWeight;
    }

    synchronized long audit() {
        if (bookedWeight != bookedPallets * 100) {
            throw new IllegalStateException(bookedPallets + " pallets of 100 kg weigh " + bookedWeight);
        }
        return bookedPallets;
    }

    static class Handover {
        private final int staff;
        private int missing;
        private Object shift = new Object();

        Handover(int staff) {
            this.staff = staff;
            missing = staff;
        }

        synchronized boolean meet() throws InterruptedException {
            Object mine = shift;
            missing--;
            if (missing == 0) {
                missing = staff;
                shift = new Object();
                notifyAll();
                return true;
            }
            while (mine == shift) {
                wait();
            }
            return false;
        }
    }

    private static final AtomicInteger weighing = new AtomicInteger();
    private static final AtomicInteger shifts = new AtomicInteger();
    private static volatile String error;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ScaleRoom room = new ScaleRoom();
        Handover handover = new Handover(6);
        Runnable clerk = () -> {
            try {
                for (int shift = 1; error == null; shift++) {
                    for (int pallet = 0; pallet < 3; pallet++) {
                        room.stepOn();
                        if (weighing.incrementAndGet() > 2) {
                            error = "three pallets on two scales";
                        }
                        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
                        weighing.decrementAndGet();
                        room.stepOff();
                        room.entry(100);
                    }
                    if (handover.meet()) {
                        shifts.incrementAndGet();
                        room.audit();
                    }
                    if (shifts.get() < shift - 1) {
                        error = "a shift was left before its end";
                    }
                }
            } catch (InterruptedException e) {
                error = "interrupted";
            } catch (RuntimeException e) {
                error = e.getMessage();
            }
        };
        for (int i = 1; i <= 6; i++) {
            Thread t = new Thread(clerk, "clerk " + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (error != null) {
            System.err.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + room.audit());
    }
}
