// @lock DeliCounter
// @type LOCK reentrant=false
// @role lock DeliCounter.drawAndWait
// @role unlock DeliCounter.callNext

import java.util.Random;

/** A ticket lock: draw a number, wait until it is on the display. The monitor is the shop itself. */
public class DeliCounter {
    private long nextTicket;
    private long display;

    private synchronized void drawAndWait() {
        final long mine = nextTicket++;
        boolean interrupted = false;
        while (mine != display) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void callNext() {
        display++;
        notifyAll();
    }

    private static int atCounter;
    private static long served;
    private static volatile boolean closed;
    private static volatile boolean crowd;

    public static void main(String[] a) throws Exception {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        DeliCounter shop = new DeliCounter();
        Thread[] customers = new Thread[5];
        for (int i = 0; i < customers.length; i++) {
            final long seed = 77 + i;
            customers[i] = new Thread(() -> {
                Random r = new Random(seed);
                while (!closed) {
                    shop.drawAndWait();
                    try {
                        if (++atCounter != 1) {
                            crowd = true;
                        }
                        snooze(r.nextInt(3));
                        served++;
                        atCounter--;
                    } finally {
                        shop.callNext();
                    }
                    snooze(2 + r.nextInt(6));
                }
            }, "customer" + i);
            customers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        snooze(seconds * 1000);
        closed = true;
        for (Thread t : customers) {
            t.join();
        }
        if (crowd) {
            System.out.println("two customers at the counter");
            System.exit(1);
        }
        System.out.println("DONE " + served);
    }

    private static void snooze(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
