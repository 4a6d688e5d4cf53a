// @lock CourierDay$Courier
// @type JOIN
// @role join CourierDay.awaitReturn

import java.util.Random;

/** The dispatcher joins couriers by hand: wait on the thread object until it is no longer alive. */
public class CourierDay {
    static class Courier extends Thread {
        private final int kilometres;
        int delivered;

        Courier(int n, int kilometres) {
            super("courier-" + n);
            this.kilometres = kilometres;
        }

        @Override
        public void run() {
            for (int k = 0; k < kilometres; k++) {
                try {
                    sleep(1);
                } catch (InterruptedException e) {
                    return;
                }
                delivered++;
            }
        }
    }

    static void awaitReturn(Courier c) throws InterruptedException {
        synchronized (c) {
            while (c.isAlive()) {
                c.wait();
            }
        }
    }

    static void dispatcher(long end, int[] tours) throws InterruptedException {
        Random rnd = new Random(tours.length);
        while (System.nanoTime() < end) {
            Courier[] shift = new Courier[3];
            for (int i = 0; i < shift.length; i++) {
                shift[i] = new Courier(i, 2 + rnd.nextInt(8));
                shift[i].start();
            }
            for (Courier c : shift) {
                awaitReturn(c);
                if (c.delivered != c.kilometres) {
                    throw new IllegalStateException(c.getName() + " is not back yet");
                }
                tours[0]++;
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        int[] tours = new int[1];
        System.out.println("READY");
        System.out.flush();
        try {
            dispatcher(end, tours);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
        System.out.println("DONE " + tours[0]);
    }
}
