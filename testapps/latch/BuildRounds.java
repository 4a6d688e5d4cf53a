// @lock BuildRounds$Countdown
// @type LATCH count=3
// @role count-down BuildRounds$Countdown.done
// @role await BuildRounds$Countdown.await

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A build server: each build compiles three modules side by side; packager and announcer wait for all of them. */
public final class BuildRounds {
    static final class Countdown {
        private int remaining;

        Countdown(int modules) {
            remaining = modules;
        }

        synchronized void done() {
            if (remaining > 0 && --remaining == 0) {
                notifyAll();
            }
        }

        synchronized void await() throws InterruptedException {
            while (remaining > 0) {
                wait();
            }
        }
    }

    static final class Build {
        final Countdown modules = new Countdown(3);
        final AtomicInteger compiled = new AtomicInteger();

        void compile() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            compiled.incrementAndGet();
            modules.done();
        }

        void waitFor() {
            try {
                modules.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (compiled.get() != 3) {
                early.incrementAndGet();
            }
        }
    }

    private static final AtomicInteger early = new AtomicInteger();

    private static void launch(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        long builds = 0;
        while (System.nanoTime() - until < 0) {
            Build build = new Build();
            launch("announcer", build::waitFor);
            for (int m = 0; m < 3; m++) {
                launch("module-" + m, build::compile);
            }
            if (builds++ == 0) {
                System.out.println("READY");
                System.out.flush();
            }
            build.waitFor();
        }
        if (early.get() > 0) {
            throw new IllegalStateException(early + " packages were made of unfinished builds");
        }
        System.out.println("DONE " + builds);
    }
}
