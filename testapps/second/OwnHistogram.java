// @lock OwnHistogram$Histogram
// @type NOT-SHARED
// @quiet

import java.util.Random;

/** A synchronized histogram class out of habit: every worker has one of its own, nobody else touches it. */
public class OwnHistogram {
    static class Histogram {
        private final int[] buckets = new int[32];
        private int total;

        synchronized void add(int value) {
            buckets[Math.min(31, Math.max(0, value))]++;
            total++;
        }

        synchronized int median() {
            int seen = 0;
            for (int i = 0; i < buckets.length; i++) {
                seen += buckets[i];
                if (2 * seen >= total) {
                    return i;
                }
            }
            return -1;
        }
    }

    static final class Sampler extends Thread {
        private final Random rnd = new Random();
        volatile int samples;
        volatile int lastMedian = 16;

        Sampler(String name) {
            super(name);
            setDaemon(true);
        }

        @Override
        public void run() {
            Histogram mine = new Histogram();
            while (true) {
                for (int i = 0; i < 50; i++) {
                    mine.add((int) (16 + 4 * rnd.nextGaussian()));
                }
                lastMedian = mine.median();
                samples += 50;
                try {
                    sleep(2);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Sampler[] samplers = {new Sampler("north"), new Sampler("south"), new Sampler("west")};
        for (Sampler s : samplers) {
            s.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long sum = 0;
        for (Sampler s : samplers) {
            if (s.lastMedian < 12 || s.lastMedian > 20) {
                System.out.println("median of " + s.getName() + " is " + s.lastMedian);
                System.exit(1);
            }
            sum += s.samples;
        }
        System.out.println("DONE " + sum);
    }
}
