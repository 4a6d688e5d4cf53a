// @lock ShavingParlour$Sema
// @type SEMAPHORE
// @role acquire ShavingParlour$Sema.P
// @role release ShavingParlour$Sema.V
//
// @lock ShavingParlour$Bench
// @type MUTEX
// @role enter ShavingParlour$Bench.sitDown
// @role enter ShavingParlour$Bench.getUp
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The sleeping barbers as the lecture has them: semaphores for customers, barbers and finished shaves, and a bench for three. */
public class ShavingParlour {
    static class Sema {
        private int s;

        Sema(int initial) {
            s = initial;
        }

        synchronized void P() throws InterruptedException {
            while (s <= 0) {
                wait();
            }
            s = s - 1;
        }

        synchronized void V() {
            s = s + 1;
            notify();
        }
    }

    static class Bench {
        private int waiting;

        synchronized boolean sitDown() {
            if (waiting == 3) {
                return false;
            }
            waiting++;
            return true;
        }

        synchronized void getUp() {
            waiting--;
        }
    }

    final Sema customers = new Sema(0);
    final Sema barbers = new Sema(0);
    final Sema finished = new Sema(0);
    final Bench bench = new Bench();
    final AtomicLong cut = new AtomicLong();
    final AtomicLong shaves = new AtomicLong();
    final AtomicLong turnedAway = new AtomicLong();
    volatile boolean unshaven;

    void barber() throws InterruptedException {
        while (true) {
            customers.P();
            bench.getUp();
            barbers.V();
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            cut.incrementAndGet();
            finished.V();
        }
    }

    void customer() throws InterruptedException {
        while (true) {
            if (bench.sitDown()) {
                customers.V();
                barbers.P();
                finished.P();
                if (shaves.incrementAndGet() > cut.get()) {
                    unshaven = true;
                }
            } else {
                turnedAway.incrementAndGet();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ShavingParlour parlour = new ShavingParlour();
        for (int i = 0; i < 9; i++) {
            boolean barber = i < 2;
            Thread t = new Thread(() -> {
                try {
                    if (barber) {
                        parlour.barber();
                    } else {
                        parlour.customer();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, (barber ? "barber-" : "customer-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (parlour.unshaven || parlour.shaves.get() == 0) {
            throw new IllegalStateException("somebody left unshaven, or nobody was shaved");
        }
        System.out.println("DONE " + parlour.shaves);
    }
}
