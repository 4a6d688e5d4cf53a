// @lock MediaShelf$Tracker
// @type LATCH count=3
// @role count-down MediaShelf$Tracker.setDone
// @role await MediaShelf$Tracker.waitForAll

import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An applet's media shelf: a slide has a picture, a sound and a caption, tracked as bits of one word until all are there. */
public class MediaShelf {
    static final int PICTURE = 1;
    static final int SOUND = 2;
    static final int CAPTION = 4;
    static final int ALL = PICTURE | SOUND | CAPTION;

    static class Tracker {
        private int done;
        private int errored;

        void setDone(int medium, boolean ok) {
            synchronized (this) {
                if ((done & medium) != 0) {
                    throw new IllegalStateException("loaded twice");
                }
                done |= medium;
                if (!ok) {
                    errored |= medium;
                }
                notifyAll();
            }
        }

        /** As java.awt.MediaTracker: whether everything has been loaded within ms milliseconds, 0 for any time. */
        boolean waitForAll(long ms) throws InterruptedException {
            long end = System.currentTimeMillis() + ms;
            synchronized (this) {
                while (done != ALL) {
                    long timeout = 0;
                    if (ms > 0) {
                        timeout = end - System.currentTimeMillis();
                        if (timeout <= 0) {
                            return false;
                        }
                    }
                    wait(timeout);
                }
                return true;
            }
        }

        synchronized boolean isErrorAny() {
            return errored != 0;
        }
    }

    static class Slide {
        final Tracker tracker = new Tracker();
        final Object[] parts = new Object[3];
    }

    static class Loader extends Thread {
        final int index;
        final ConcurrentLinkedQueue<Slide> todo = new ConcurrentLinkedQueue<Slide>();
        final Random net;

        Loader(int index) {
            super("loader " + index);
            this.index = index;
            net = new Random(index);
            setDaemon(true);
        }

        public void run() {
            try {
                for (;;) {
                    Slide s = todo.poll();
                    if (s == null) {
                        sleep(1);
                        continue;
                    }
                    sleep(net.nextInt(4));
                    s.parts[index] = s;
                    s.tracker.setDone(1 << index, net.nextInt(50) != 0);
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static class Viewer extends Thread {
        final Loader[] loaders;
        final boolean patient;
        volatile long shown;
        volatile long skipped;
        volatile boolean blank;

        Viewer(Loader[] loaders, boolean patient) {
            this.loaders = loaders;
            this.patient = patient;
            setDaemon(true);
        }

        public void run() {
            try {
                while (!blank) {
                    Slide s = new Slide();
                    for (Loader l : loaders) {
                        l.todo.add(s);
                    }
                    while (!s.tracker.waitForAll(patient ? 0 : 500)) {
                        skipped++;
                    }
                    for (Object part : s.parts) {
                        if (part == null) {
                            blank = true;
                        }
                    }
                    if (s.tracker.isErrorAny()) {
                        skipped++;
                    }
                    shown++;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Loader[] loaders = new Loader[3];
        for (int i = 0; i < 3; i++) {
            loaders[i] = new Loader(i);
            loaders[i].start();
        }
        Viewer[] viewers = {new Viewer(loaders, true), new Viewer(loaders, false), new Viewer(loaders, true)};
        for (Viewer v : viewers) {
            v.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        long shown = 0;
        for (Viewer v : viewers) {
            if (v.blank) {
                System.out.println("a slide with a hole was shown");
                System.exit(1);
            }
            shown += v.shown;
        }
        System.out.println("DONE " + shown);
    }
}
