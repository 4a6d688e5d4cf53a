// @lock java.lang.Object#lamp_nap
// @type DELAY
// @role delay BlinkLamps.lamp_nap

/** Blinking lamps, carried over from C line by line: the old nap was a timed wait on a condition that nobody signals. */
public final class BlinkLamps {
    static final class lamp_t {
        final Object nap_lock = new Object();
        final int period_ms;
        volatile boolean lit;
        volatile long blinks;
        volatile long too_short;

        lamp_t(int period_ms) {
            this.period_ms = period_ms;
        }
    }

    static int lamp_nap(lamp_t self, int ms) {
        long deadline = System.nanoTime() + ms * 1000000L;
        synchronized (self.nap_lock) {
            long left_us = ms * 1000L;
            do {
                try {
                    self.nap_lock.wait(left_us / 1000 + 1);
                } catch (InterruptedException eintr) {
                    return -1;
                }
                left_us = (deadline - System.nanoTime()) / 1000;
            } while (left_us > 0);
        }
        return 0;
    }

    static void lamp_main(lamp_t self) {
        for (;;) {
            self.lit = !self.lit;
            long t0 = System.nanoTime();
            if (lamp_nap(self, self.period_ms) != 0) {
                return;
            }
            if (System.nanoTime() - t0 < self.period_ms * 1000000L - 1000) {
                self.too_short++;
            }
            self.blinks++;
        }
    }

    public static void main(String[] argv) throws InterruptedException {
        long seconds = argv.length > 0 ? Long.parseLong(argv[0]) : 600;
        lamp_t[] lamps = new lamp_t[5];
        for (int i = 0; i < lamps.length; i++) {
            final lamp_t lamp = lamps[i] = new lamp_t(4 + 3 * i);
            Thread t = new Thread(() -> lamp_main(lamp), "lamp" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        long blinks = 0;
        for (lamp_t lamp : lamps) {
            if (lamp.too_short > 0) {
                throw new IllegalStateException("nap cut short");
            }
            blinks += lamp.blinks;
        }
        System.out.println("DONE " + blinks);
    }
}
