// @lock AudioFocus$Amplifier
// @type LOCK+CONDITION reentrant=false
// @role lock AudioFocus$Amplifier.request
// @role unlock AudioFocus$Amplifier.abandon
// @role wait AudioFocus$Amplifier.awaitVolumeOtherThan
// @role notify AudioFocus$Amplifier.setVolume

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A head unit: navigation, telephone and radio ask for the amplifier and have it alone; displays wait on the same monitor for the volume to become another one. */
public class AudioFocus {
    static volatile boolean off;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class Amplifier {
        private Thread source;
        private int volume;

        synchronized void request() throws InterruptedException {
            while (source != null) wait();
            source = Thread.currentThread();
        }

        synchronized void abandon() {
            if (source != Thread.currentThread()) throw new IllegalStateException("not the source");
            source = null;
            notifyAll();
        }

        /** By the knob, whoever plays. */
        synchronized void setVolume(int v) {
            if (v == volume) return;
            volume = v;
            notifyAll();
        }

        synchronized int awaitVolumeOtherThan(int v) throws InterruptedException {
            while (volume == v) wait();
            return volume;
        }
    }

    static final Amplifier amp = new Amplifier();
    static volatile int playing = -1;

    static final class Source extends Thread {
        private final int id;

        Source(int id) {
            super("source-" + id);
            this.id = id;
        }

        @Override public void run() {
            try {
                while (!off) {
                    amp.request();
                    try {
                        playing = id;
                        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                        if (playing != id) broken = "two sources at once";
                    } finally {
                        amp.abandon();
                    }
                    ops.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                }
            } catch (InterruptedException e) {
                broken = getName() + " interrupted";
            }
        }
    }

    static void display() {
        int seen = 0;
        try {
            while (!off) {
                int v = amp.awaitVolumeOtherThan(seen);
                if (v == seen) broken = "nothing new to show";
                seen = v;
                ops.incrementAndGet();
            }
        } catch (InterruptedException e) {
            broken = "display interrupted";
        }
    }

    static void knob() {
        try {
            while (!off) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
                amp.setVolume(ThreadLocalRandom.current().nextInt(40));
            }
        } catch (InterruptedException e) {
            broken = "knob interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Thread[] t = {new Source(0), new Source(1), new Source(2), new Source(3), new Thread(AudioFocus::display, "cluster"),
            new Thread(AudioFocus::display, "console"), new Thread(AudioFocus::knob, "knob")};
        for (Thread q : t) {
            q.setDaemon(true);
            q.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1000000000L;
        while (System.nanoTime() < end && broken == null) Thread.sleep(50);
        off = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
