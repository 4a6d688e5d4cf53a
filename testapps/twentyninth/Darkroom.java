// @lock Darkroom$Door
// @type LOCK reentrant=false
// @role lock Darkroom$Door.enter
// @role unlock Darkroom$Door.leave
// @lock Darkroom$Bath
// @type JOIN
// @role join Darkroom.awaitEnd

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A darkroom has one door and every member a slate: who wants to get in writes a number higher than all others on it
 * and waits for those with lower numbers. Films are developed in baths that end by themselves.
 */
public class Darkroom {

    static class Door {
        private final long[] slate;

        Door(int members) {
            slate = new long[members];
        }

        synchronized void enter(int me) throws InterruptedException {
            long highest = 0;
            for (long n : slate) {
                highest = Math.max(highest, n);
            }
            slate[me] = highest + 1;
            boolean inside = false;
            try {
                while (someoneBefore(me)) {
                    wait();
                }
                inside = true;
            } finally {
                if (!inside) {
                    leave(me);
                }
            }
        }

        private boolean someoneBefore(int me) {
            for (long n : slate) {
                if (n > 0 && n < slate[me]) {
                    return true;
                }
            }
            return false;
        }

        synchronized void leave(int me) {
            slate[me] = 0;
            notifyAll();
        }
    }

    static class Bath extends Thread {
        private final int millis;
        String film;

        Bath(int millis) {
            this.millis = millis;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                sleep(millis);
                film = "developed";
            } catch (InterruptedException e) {
                film = "spoilt";
            }
        }
    }

    static void awaitEnd(Thread t) throws InterruptedException {
        synchronized (t) {
            while (t.isAlive()) {
                t.wait();
            }
        }
    }

    private static final int MEMBERS = 5;
    private static final AtomicLong films = new AtomicLong();
    private static volatile String light;
    private static int lamp;

    static class Member extends Thread {
        private final int number;
        private final Door door;
        private final Random random;

        Member(int number, Door door) {
            super("member-" + number);
            this.number = number;
            this.door = door;
            random = new Random(number * 31L);
            setDaemon(true);
        }

        private void expose() throws InterruptedException {
            door.enter(number);
            try {
                lamp++;
                Thread.sleep(2 + random.nextInt(3));
                if (lamp != 1) {
                    light = "somebody came in";
                }
                lamp--;
            } finally {
                door.leave(number);
            }
        }

        private void develop() throws InterruptedException {
            Bath b = new Bath(5 + random.nextInt(8));
            b.start();
            awaitEnd(b);
            if (!"developed".equals(b.film)) {
                light = "film " + b.film;
            }
            films.incrementAndGet();
        }

        @Override
        public void run() {
            try {
                for (int i = 0; light == null; i++) {
                    expose();
                    if (i % 2 == number % 2) {
                        develop();
                    } else {
                        Thread.sleep(1 + random.nextInt(5));
                    }
                }
            } catch (InterruptedException e) {
                light = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Door door = new Door(MEMBERS);
        for (int i = 0; i < MEMBERS; i++) {
            new Member(i, door).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        if (light != null) {
            System.out.println(light);
            System.exit(1);
        }
        System.out.println("DONE " + films);
    }
}
