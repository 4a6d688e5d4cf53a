// @lock BarberChairs$WaitingRoom
// @type PRODUCER-CONSUMER
// @role put BarberChairs$WaitingRoom.sitDown
// @role take BarberChairs$WaitingRoom.nextPlease

import java.util.LinkedList;
import java.util.Random;

/** The sleeping barbers: customers who find no chair go away, barbers sleep when nobody waits. */
public class BarberChairs {
    static class Customer {
        volatile boolean shorn;
    }

    static class WaitingRoom {
        private final LinkedList<Customer> chairs = new LinkedList<>();
        private final int places;

        WaitingRoom(int places) {
            this.places = places;
        }

        synchronized boolean sitDown(Customer c) {
            if (chairs.size() == places) {
                return false;
            }
            chairs.addLast(c);
            notify();
            return true;
        }

        synchronized Customer nextPlease() throws InterruptedException {
            while (chairs.isEmpty()) {
                wait();
            }
            return chairs.removeFirst();
        }
    }

    static volatile boolean closing;
    static volatile String broken;
    static volatile int came;
    static volatile int turnedAway;

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final WaitingRoom room = new WaitingRoom(a.length > 1 ? Integer.parseInt(a[1]) : 5);
        final int[] cuts = new int[2];
        Thread[] barbers = new Thread[2];
        for (int i = 0; i < barbers.length; i++) {
            final int me = i;
            barbers[i] = new Thread("barber-" + i) {
                @Override
                public void run() {
                    try {
                        while (true) {
                            Customer c = room.nextPlease();
                            if (c.shorn) {
                                broken = "shorn twice";
                            }
                            c.shorn = true;
                            cuts[me]++;
                            sleep(4);
                        }
                    } catch (InterruptedException e) {
                        // closing time
                    }
                }
            };
            barbers[i].start();
        }
        Thread street = new Thread("street") {
            @Override
            public void run() {
                Random rnd = new Random(1);
                try {
                    while (!closing) {
                        for (int n = 1 + rnd.nextInt(4); n > 0; n--) {
                            came++;
                            if (!room.sitDown(new Customer())) {
                                turnedAway++;
                            }
                        }
                        sleep(2 + rnd.nextInt(10));
                    }
                } catch (InterruptedException e) {
                    broken = "street interrupted";
                }
            }
        };
        street.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        closing = true;
        street.join();
        for (int i = 0; i < 200 && cuts[0] + cuts[1] + turnedAway != came; i++) {
            Thread.sleep(25);
        }
        for (Thread b : barbers) {
            b.interrupt();
            b.join();
        }
        if (broken != null || cuts[0] + cuts[1] + turnedAway != came) {
            System.out.println(came + " came, " + turnedAway + " left, " + (cuts[0] + cuts[1]) + " cut " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + came);
    }
}
