// @lock ModemDialer$Line
// @type DELAY
// @role delay ModemDialer$Line.pause

import java.util.Random;

/** A dialer that redials a busy number after a pause; the pause belongs to the line and grows with every failure. */
public class ModemDialer {
    static abstract class Device {
        protected long deadline;

        abstract String name();

        abstract void pause(long ms);
    }

    static class Line extends Device {
        private final int number;
        private int pauses;

        Line(int number) {
            this.number = number;
        }

        String name() {
            return "line " + number;
        }

        /** Returns no earlier than after ms milliseconds. */
        void pause(long ms) {
            synchronized (this) {
                deadline = System.nanoTime() + ms * 1000000L;
                pauses++;
                for (;;) {
                    long left = (deadline - System.nanoTime() + 999999L) / 1000000L;
                    if (left <= 0) {
                        return;
                    }
                    try {
                        wait(left);
                    } catch (InterruptedException e) {
                        // hanging up does not shorten the pause that the exchange asks for
                        hungUp = true;
                    }
                }
            }
        }

        boolean hungUp;

        int pauses() {
            return pauses;
        }
    }

    static class Dialer implements Runnable {
        private final Line line;
        private final Random exchange;
        volatile int calls;
        volatile boolean early;

        Dialer(Line line, long seed) {
            this.line = line;
            this.exchange = new Random(seed);
        }

        public void run() {
            while (!early) {
                int wait = 1;
                while (exchange.nextInt(4) != 0) {
                    long before = System.nanoTime();
                    line.pause(wait);
                    if (System.nanoTime() - before < wait * 1000000L) {
                        early = true;
                    }
                    wait = Math.min(wait * 2, 8);
                }
                calls++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Dialer[] dialers = new Dialer[5];
        for (int i = 0; i < dialers.length; i++) {
            Line line = new Line(i);
            dialers[i] = new Dialer(line, 100 + i);
            Thread t = new Thread(dialers[i], line.name());
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        int sum = 0;
        for (Dialer d : dialers) {
            if (d.early) {
                System.err.println("redialled too early");
                System.exit(1);
            }
            sum += d.calls;
        }
        System.out.println("DONE " + sum);
    }
}
