// @lock ChartRoom$Turnstile
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock ChartRoom$Turnstile.study
// @role read-unlock ChartRoom$Turnstile.shelve
// @role write-lock ChartRoom$Turnstile.revise
// @role write-unlock ChartRoom$Turnstile.publish

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Sea charts studied by navigators and revised by cartographers, strictly in order of arrival. */
public final class ChartRoom {
    static final class Turnstile {
        private long tickets;
        private long admitted;
        private int studying;
        private boolean revising;

        synchronized void study() throws InterruptedException {
            long mine = tickets++;
            while (mine != admitted || revising) {
                wait();
            }
            admitted++;
            studying++;
            notifyAll(); // the next in line may be a reader too
        }

        synchronized void shelve() {
            if (--studying == 0) {
                notifyAll();
            }
        }

        synchronized void revise() throws InterruptedException {
            long mine = tickets++;
            while (mine != admitted || revising || studying > 0) {
                wait();
            }
            admitted++;
            revising = true;
        }

        synchronized void publish() {
            revising = false;
            notifyAll();
        }
    }

    private static final Turnstile turnstile = new Turnstile();
    private static final long[] soundings = new long[2];
    private static final AtomicLong studies = new AtomicLong();
    private static volatile boolean broken;

    private static void navigator() throws InterruptedException {
        turnstile.study();
        try {
            long before = soundings[0];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (soundings[1] != before) {
                broken = true;
            }
        } finally {
            turnstile.shelve();
        }
        studies.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
    }

    private static void cartographer() throws InterruptedException {
        turnstile.revise();
        try {
            soundings[0]++;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            soundings[1]++;
        } finally {
            turnstile.publish();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
    }

    static final class Navigator extends Thread {
        Navigator(int n) {
            super("navigator-" + n);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!broken) {
                    navigator();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static final class Cartographer extends Thread {
        Cartographer() {
            super("cartographer");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!broken) {
                    cartographer();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            new Navigator(i).start();
        }
        new Cartographer().start();
        new Cartographer().start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken) {
            throw new IllegalStateException("a chart changed while it was studied");
        }
        System.out.println("DONE " + studies);
    }
}
