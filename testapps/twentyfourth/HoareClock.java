// Hoare's alarm clock (1974): processes ask to be woken after n ticks; the ticks come from a crystal.
// @lock HoareClock$AlarmClock
// @type CONDITION
// @role wait HoareClock$AlarmClock.wakeMe
// @role notify HoareClock$AlarmClock.tick
// @lock HoareClock$Crystal
// @type DELAY
// @role delay HoareClock$Crystal.swing

import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class HoareClock {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    static final class AlarmClock {
        private long now;
        /** How many are to be woken at each time. */
        private final TreeMap<Long, Integer> alarms = new TreeMap<>();

        synchronized long wakeMe(int ticks) throws InterruptedException {
            long setting = now + ticks;
            alarms.merge(setting, 1, Integer::sum);
            try {
                while (now < setting) {
                    wait();
                }
                return now - setting;
            } finally {
                if (alarms.merge(setting, -1, Integer::sum) == 0) {
                    alarms.remove(setting);
                }
            }
        }

        synchronized void tick() {
            now++;
            if (!alarms.isEmpty() && alarms.firstKey() <= now) {
                notifyAll();
            }
        }

        synchronized long time() {
            return now;
        }
    }

    /** Swings freely; nobody ever interferes with it. */
    static final class Crystal {
        private int swings;

        synchronized void swing(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000L;
            for (;;) {
                long left = (end - System.nanoTime() + 999_999L) / 1_000_000L;
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
            swings++;
        }
    }

    static final class Sleeper implements Step {
        private final AlarmClock clock;
        private final int min;

        Sleeper(AlarmClock clock, int min) {
            this.clock = clock;
            this.min = min;
        }

        @Override
        public void once() throws InterruptedException {
            long before = clock.time();
            int n = min + dice(3);
            long late = clock.wakeMe(n);
            check(late >= 0, "woken early");
            check(clock.time() - before >= n, "time has run backwards");
            OPS.incrementAndGet();
            if (dice(4) == 0) {
                nap(3);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Crystal crystal = new Crystal();
        for (int c = 0; c < 2; c++) {
            AlarmClock clock = new AlarmClock();
            int period = 4 + 3 * c;
            go("ticker-" + c, () -> {
                crystal.swing(period);
                clock.tick();
            });
            for (int i = 0; i < 4; i++) {
                go("sleeper-" + c + "-" + i, new Sleeper(clock, 1 + i));
            }
        }
        finish(args);
    }
}
