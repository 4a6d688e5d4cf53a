// @lock SoundDesk$Take
// @type JOIN
// @role join java.lang.Thread.join
//
// @lock SoundDesk$Metronome
// @type DELAY
// @role delay SoundDesk$Pulse.rest
//
// @lock SoundDesk$Tape
// @type LOCK reentrant=false
// @role lock SoundDesk$Tape.claim
// @role unlock SoundDesk$Tape.yieldUp

/** A recording studio: every take is a thread of its own, metronomes rest between beats, and there is one tape machine. */
public class SoundDesk {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    abstract static class Pulse {
        abstract long millis();

        /** Rests for the whole time, whatever happens; an interrupt is remembered. */
        void rest() {
            boolean interrupted = false;
            long end = System.currentTimeMillis() + millis();
            synchronized (this) {
                for (long rest; (rest = end - System.currentTimeMillis()) > 0;)
                    try {
                        wait(rest);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
            }
            if (interrupted)
                Thread.currentThread().interrupt();
        }
    }

    static class Metronome extends Pulse {
        private final int beatsPerSecond;
        private long beats;
        private final long began = System.currentTimeMillis();

        Metronome(int beatsPerSecond) {
            this.beatsPerSecond = beatsPerSecond;
        }

        @Override
        long millis() {
            return 1000 / beatsPerSecond;
        }

        void beat() {
            beats++;
            check(System.currentTimeMillis() - began >= (beats - 1) * millis(), "too fast");
        }
    }

    static class Tape {
        private Thread user;
        private int queued;
        int position;

        synchronized void claim() throws InterruptedException {
            if (user == Thread.currentThread())
                throw new IllegalStateException("already has the tape");
            queued++;
            while (user != null)
                wait();
            queued--;
            user = Thread.currentThread();
        }

        synchronized void yieldUp() {
            if (user != Thread.currentThread())
                throw new IllegalStateException("has not got the tape");
            user = null;
            if (queued > 0)
                notify();
        }
    }

    static class Take extends Thread {
        private final Tape tape;
        final int length;
        int recorded;

        Take(Tape tape, int length) {
            super("take");
            this.tape = tape;
            this.length = length;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < length; i++) {
                    tape.claim();
                    try {
                        int p = tape.position;
                        nap(1);
                        check(p == tape.position, "tape moved");
                        tape.position = p + 1;
                        recorded++;
                    } finally {
                        tape.yieldUp();
                    }
                }
            } catch (InterruptedException e) {
                broken = "take interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final Tape tape = new Tape();
        for (int i = 0; i < 3; i++)
            loop("producer-" + i, () -> {
                Take t = new Take(tape, rnd(2, 5));
                t.start();
                int waited = 0;
                do {
                    t.join(25);
                    check(++waited < 400, "endless take");
                } while (t.isAlive());
                check(t.recorded == t.length, "take cut short");
            });
        for (int bps : new int[] {80, 125}) {
            final Metronome m = new Metronome(bps);
            loop("metronome-" + bps, () -> {
                m.rest();
                m.beat();
            });
        }
        supervise(args);
    }
}
