// @lock RenderFarm$Strip
// @type JOIN
// @role join RenderFarm.collect

import java.util.concurrent.ThreadLocalRandom;

/** A picture in strips, a thread per strip; the collector waits on the thread object until the VM says it has ended. */
public final class RenderFarm {
    static final class Strip extends Thread {
        private final int[] pixels = new int[256];
        private final int seed;

        Strip(int seed) {
            super("strip-" + seed);
            this.seed = seed;
            setDaemon(true);
        }

        @Override
        public void run() {
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = seed * 31 + i;
            }
            try {
                sleep(ThreadLocalRandom.current().nextInt(1, 6));
            } catch (InterruptedException e) {
                interrupt();
            }
            pixels[0] = -1;
        }
    }

    static int collect(Strip strip) throws InterruptedException {
        synchronized (strip) {
            while (strip.isAlive()) {
                strip.wait();
            }
        }
        return strip.pixels[0];
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        long strips = 0;
        boolean told = false;
        while (System.nanoTime() - until < 0) {
            Strip[] picture = new Strip[5];
            for (int i = 0; i < picture.length; i++) {
                picture[i] = new Strip(i);
                picture[i].start();
            }
            if (!told) {
                told = true;
                System.out.println("READY");
                System.out.flush();
            }
            for (Strip s : picture) {
                if (collect(s) != -1) {
                    throw new IllegalStateException("strip " + s.seed + " was collected unfinished");
                }
                strips++;
            }
        }
        System.out.println("DONE " + strips);
    }
}
