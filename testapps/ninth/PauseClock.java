// @lock PauseClock$Ticker
// @type CONDITION
// @role wait PauseClock$Ticker.run
// @role notify PauseClock$Ticker.mousePressed

import java.util.Random;

/** The clock applet from the note on why Thread.suspend is deprecated: a click stops it, another one lets it run on. */
public class PauseClock {
    static class Ticker extends Thread {
        private volatile boolean threadSuspended;
        volatile int ticks;
        volatile int clicks;
        private final int interval;

        Ticker(int interval) {
            this.interval = interval;
            setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                try {
                    Thread.sleep(interval);
                    if (threadSuspended) {
                        synchronized (this) {
                            while (threadSuspended) {
                                wait();
                            }
                        }
                    }
                } catch (InterruptedException e) {
                    return;
                }
                ticks++;
            }
        }

        public synchronized void mousePressed() {
            threadSuspended = !threadSuspended;
            clicks++;
            if (!threadSuspended) {
                notify();
            }
        }
    }

    static class User extends Thread {
        final Ticker[] clocks;
        final Random random;
        volatile String complaint;

        User(Ticker[] clocks, int seed) {
            this.clocks = clocks;
            this.random = new Random(seed);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (complaint == null) {
                    for (Ticker clock : clocks) {
                        clock.mousePressed();
                        sleep(6);
                        int stopped = clock.ticks;
                        sleep(random.nextInt(4));
                        if (clock.ticks > stopped + 1) {
                            complaint = "the clock ran while it was stopped";
                        }
                        clock.mousePressed();
                        for (int i = 0; clock.ticks == stopped; i++) {
                            if (i > 2000) {
                                complaint = "the clock did not go on";
                                break;
                            }
                            sleep(1);
                        }
                    }
                }
            } catch (InterruptedException e) {
                complaint = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        User[] users = new User[4];
        Ticker[][] clocks = new Ticker[users.length][2];
        for (int u = 0; u < users.length; u++) {
            for (int i = 0; i < clocks[u].length; i++) {
                clocks[u][i] = new Ticker(1 + i);
                clocks[u][i].start();
            }
            users[u] = new User(clocks[u], u);
            users[u].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        int clicks = 0;
        for (int u = 0; u < users.length; u++) {
            if (users[u].complaint != null) {
                System.out.println(users[u].complaint);
                System.exit(1);
            }
            for (Ticker clock : clocks[u]) {
                clicks += clock.clicks;
            }
        }
        System.out.println("DONE " + clicks);
    }
}
