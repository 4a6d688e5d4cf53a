// @lock Rutile$Atlas
// @type READ-WRITE preference=readers
// @role read-lock Rutile$Atlas.lookAt
// @role read-unlock Rutile$Atlas.lookAway
// @role write-lock Rutile$Atlas.redraw
// @role write-unlock Rutile$Atlas.publish
//
// @lock Rutile$Survey
// @type JOIN
// @role join java.lang.Thread.join
//
// @lock Rutile$Edition
// @type CONDITION
// @role wait Rutile$Edition.after
// @role notify Rutile$Edition.bump

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An atlas: surveys on threads of their own, whose results are drawn under a read-write lock; screens wait for an edition they have not shown. */
public final class Rutile {
    static final class Atlas {
        private enum Use { NOBODY, READING, DRAWING }

        private Use use = Use.NOBODY;
        private int readers;
        private final int[] heights = new int[16];

        void lookAt() throws InterruptedException {
            synchronized (this) {
                while (use == Use.DRAWING) {
                    wait();
                }
                use = Use.READING;
                readers++;
            }
        }

        void lookAway() {
            synchronized (this) {
                if (--readers == 0) {
                    use = Use.NOBODY;
                    notifyAll();
                }
            }
        }

        void redraw() throws InterruptedException {
            synchronized (this) {
                while (use != Use.NOBODY) {
                    wait();
                }
                use = Use.DRAWING;
            }
        }

        void publish() {
            synchronized (this) {
                use = Use.NOBODY;
                notifyAll();
            }
        }
    }

    static final class Survey extends Thread {
        private final int region;
        private int height;
        private boolean measured;

        Survey(int region) {
            super("survey-" + region);
            this.region = region;
        }

        @Override
        public void run() {
            try {
                sleep(ThreadLocalRandom.current().nextInt(2, 7));
                height = region + 1;
                measured = true;
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static final class Edition {
        private volatile int number;

        int after(int seen) throws InterruptedException {
            int now = number;
            if (now != seen) {
                return now;
            }
            synchronized (this) {
                while (number == seen) {
                    wait();
                }
                return number;
            }
        }

        synchronized void bump() {
            number = number + 1;
            notifyAll();
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static volatile String failure;

    private static void cartographer(Atlas atlas, Edition edition) throws InterruptedException {
        List<Survey> surveys = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Survey survey = new Survey(i);
            survey.start();
            surveys.add(survey);
        }
        int sum = 0;
        for (Survey survey : surveys) {
            do {
                survey.join(50);
            } while (survey.isAlive());
            if (!survey.measured) {
                failure = "a survey without a result";
            }
            sum += survey.height;
        }
        atlas.redraw();
        try {
            for (int i = 0; i < atlas.heights.length; i++) {
                atlas.heights[i] += sum;
            }
            Thread.sleep(2);
        } finally {
            atlas.publish();
        }
        edition.bump();
        ops.incrementAndGet();
    }

    private static void show(Atlas atlas) throws InterruptedException {
        atlas.lookAt();
        try {
            int first = atlas.heights[0];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            for (int height : atlas.heights) {
                if (height != first) {
                    failure = "a map half drawn";
                }
            }
        } finally {
            atlas.lookAway();
        }
        ops.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
    }

    private static void start(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.run();
                }
            } catch (InterruptedException e) {
                failure = name + " was interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private static final class Screen implements Step {
        private final Atlas atlas;
        private final Edition edition;
        private int seen;

        Screen(Atlas atlas, Edition edition) {
            this.atlas = atlas;
            this.edition = edition;
        }

        @Override
        public void run() throws InterruptedException {
            int next = edition.after(seen);
            if (next <= seen) {
                failure = "an old edition";
            }
            seen = next;
            atlas.lookAt();
            try {
                if (atlas.heights[0] != atlas.heights[15]) {
                    failure = "a screen shows half a map";
                }
            } finally {
                atlas.lookAway();
            }
            ops.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Atlas atlas = new Atlas();
        Edition edition = new Edition();
        for (int i = 0; i < 3; i++) {
            start("cartographer-" + i, () -> cartographer(atlas, edition));
            start("screen-" + i, new Screen(atlas, edition));
            start("visitor-" + i, () -> show(atlas));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
