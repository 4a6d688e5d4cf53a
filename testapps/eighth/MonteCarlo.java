// @lock MonteCarlo$Walker
// @type JOIN
// @role join java.lang.Thread.join

import java.util.SplittableRandom;

/** Random walks, three at a time, each on a thread of its own that keeps its result in a field until it is joined. */
public final class MonteCarlo {
    private static final class Walker extends Thread {
        private final SplittableRandom random;
        private final int steps;
        private int position;
        private boolean complete;

        Walker(long seed, int steps) {
            super("walker-" + seed);
            random = new SplittableRandom(seed);
            this.steps = steps;
        }

        @Override
        public void run() {
            for (int i = 0; i < steps; i++) {
                position += random.nextBoolean() ? 1 : -1;
                if (i % 400 == 399) {
                    Thread.yield();
                }
            }
            try {
                sleep(random.nextInt(1, 4));
            } catch (InterruptedException e) {
                return;
            }
            complete = true;
        }

        /** Joined: what the thread wrote can be read without more ado. */
        int result() throws InterruptedException {
            do {
                join(250);
            } while (isAlive());
            if (!complete || (position + steps) % 2 != 0) {
                throw new IllegalStateException(getName() + " stopped at " + position);
            }
            return position;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        System.out.println("READY");
        System.out.flush();
        long walks = 0;
        double squares = 0;
        while (System.nanoTime() - end < 0) {
            Walker[] round = new Walker[3];
            for (int i = 0; i < round.length; i++) {
                round[i] = new Walker(3 * walks + i, 2000);
                round[i].start();
            }
            for (Walker walker : round) {
                int position = walker.result();
                squares += (double) position * position;
                walks++;
            }
        }
        double variance = squares / walks / 2000;
        if (walks > 200 && (variance < 0.5 || variance > 2)) {
            throw new IllegalStateException("variance " + variance);
        }
        System.out.println("DONE " + walks);
    }
}
