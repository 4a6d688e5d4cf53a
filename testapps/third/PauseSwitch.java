// @lock PauseSwitch$Control
// @type CONDITION form=resettable-event
// @role wait PauseSwitch$Control.checkPaused
// @role notify PauseSwitch$Control.resume

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Copy jobs that ask before every block whether they have been paused; an operator pauses and resumes all of them. */
public final class PauseSwitch {
    static final class Control {
        private boolean suspended;

        public synchronized void pause() {
            suspended = true;
        }

        public synchronized void resume() {
            suspended = false;
            notifyAll();
        }

        public synchronized void checkPaused() throws InterruptedException {
            while (suspended) {
                wait();
            }
        }
    }

    private final Control control = new Control();
    private final AtomicLong blocks = new AtomicLong();
    private volatile long pausedAt = -1;
    private volatile boolean disobeyed;
    private volatile boolean quit;

    private void copy() {
        try {
            while (!quit) {
                control.checkPaused();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                blocks.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void operate(int jobs) {
        try {
            while (!quit) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(10, 25));
                control.pause();
                pausedAt = blocks.get();
                Thread.sleep(ThreadLocalRandom.current().nextInt(8, 20));
                if (blocks.get() - pausedAt > jobs) {
                    disobeyed = true;
                }
                control.resume();
            }
        } catch (InterruptedException e) {
            disobeyed = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PauseSwitch app = new PauseSwitch();
        int jobs = 5;
        for (int i = 0; i < jobs; i++) {
            Thread t = new Thread(app::copy, "copy-" + i);
            t.setDaemon(true);
            t.start();
        }
        Thread operator = new Thread(() -> app.operate(jobs), "operator");
        operator.setDaemon(true);
        operator.start();
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        app.quit = true;
        operator.join(5_000);
        if (app.disobeyed || app.blocks.get() == 0) {
            throw new IllegalStateException("a job went on while paused");
        }
        System.out.println("DONE " + app.blocks);
    }
}
