// @edge ThreeDesks.Intake -> ThreeDesks.Stamps
// @edge ThreeDesks.Stamps -> ThreeDesks.Files
// @edge ThreeDesks.Files -> ThreeDesks.Intake
// @cycle ThreeDesks.Files ThreeDesks.Intake ThreeDesks.Stamps
// @threads porter-0 porter-1 porter-2

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An office of three desks, each of which hands on to the next while it keeps its own: intake to stamps, stamps to files, files back
 * to intake. It has not stood still yet only because the porters go round one after the other, by a habit that no lock knows of.
 */
public final class ThreeDesks {
    private static final AtomicInteger turn = new AtomicInteger();
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;

    private abstract static class Desk {
        Desk next;

        abstract void handOn() throws InterruptedException;

        abstract void take() throws InterruptedException;
    }

    static final class Intake extends Desk {
        @Override
        synchronized void handOn() throws InterruptedException {
            Thread.sleep(1);
            next.take();
        }

        @Override
        synchronized void take() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final class Stamps extends Desk {
        @Override
        synchronized void handOn() throws InterruptedException {
            Thread.sleep(1);
            next.take();
        }

        @Override
        synchronized void take() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final class Files extends Desk {
        @Override
        synchronized void handOn() throws InterruptedException {
            Thread.sleep(1);
            next.take();
        }

        @Override
        synchronized void take() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    private static void porter(int number, Desk desk) {
        try {
            while (open) {
                while (turn.get() != number) {
                    Thread.sleep(1);
                }
                desk.handOn();
                done.incrementAndGet();
                turn.set((number + 1) % 3);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static void visitor(Desk desk) {
        try {
            while (open) {
                desk.take();
                desk.take();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Desk[] desks = {new Intake(), new Stamps(), new Files()};
        for (int i = 0; i < 3; i++) {
            int number = i;
            desks[i].next = desks[(i + 1) % 3];
            start("porter-" + i, () -> porter(number, desks[number]));
            start("visitor-" + i, () -> visitor(desks[number]));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        if (done.get() == 0) {
            throw new IllegalStateException("nothing was handed on");
        }
        System.out.println("DONE " + done.get());
    }
}
